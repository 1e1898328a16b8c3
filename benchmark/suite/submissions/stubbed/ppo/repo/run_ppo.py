import argparse

import torch

from environments import TASKS, MujocoEnv
from losses import gae, surrogate
from networks import GaussianPolicy, ValueFunction


def rollout(env, policy, obs, horizon):
    rows = []
    for _ in range(horizon):
        x = torch.as_tensor(obs)
        with torch.no_grad():
            dist = policy(x)
            action = dist.sample()
            logp = dist.log_prob(action).sum(-1)
        obs, reward, done = env.step(action.numpy())
        rows.append((x, action, logp, torch.tensor(reward), torch.tensor(float(done))))
        if done:
            obs = env.reset()
    return obs, [torch.stack(column) for column in zip(*rows)]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--task", choices=list(TASKS), default="HalfCheetah")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--steps", type=int, default=1_000_000)
    parser.add_argument("--horizon", type=int, default=2048)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--minibatch", type=int, default=64)
    parser.add_argument("--stepsize", type=float, default=3e-4)
    parser.add_argument("--gamma", type=float, default=0.99)
    parser.add_argument("--lam", type=float, default=0.95)
    args = parser.parse_args()

    torch.manual_seed(args.seed)
    env = MujocoEnv(args.task, args.seed)
    policy, value = GaussianPolicy(env.obs_dim, env.act_dim), ValueFunction(env.obs_dim)
    optimizer = torch.optim.Adam([*policy.parameters(), *value.parameters()], lr=args.stepsize)

    obs = env.reset()
    for iteration in range(args.steps // args.horizon):
        obs, (states, actions, old_logp, rewards, dones) = rollout(env, policy, obs, args.horizon)
        with torch.no_grad():
            values = value(states)
            last = value(torch.as_tensor(obs))
        advantages = gae(rewards, values, last, dones, args.gamma, args.lam)
        targets = advantages + values
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        for _ in range(args.epochs):
            for idx in torch.randperm(args.horizon).split(args.minibatch):
                logp = policy(states[idx]).log_prob(actions[idx]).sum(-1)
                objective = surrogate(logp, old_logp[idx], advantages[idx])
                value_loss = (value(states[idx]) - targets[idx]).pow(2).mean()
                optimizer.zero_grad()
                (value_loss - objective).backward()
                optimizer.step()
        print(f"iteration {iteration}: mean reward {rewards.mean():.3f}")


if __name__ == "__main__":
    main()
