import argparse
import copy
from collections import deque

import gymnasium as gym
import torch

from agent import Agent
from surrogates import SURROGATES

STEPS = 1_000_000
T, EPOCHS, MINIBATCH, LR = 2048, 10, 64, 3e-4
GAMMA, LAM = 0.99, 0.95


def gae(rewards, values, next_values, ends, terminals):
    """`ends` marks the last step of an episode, `terminals` those without a next value."""
    delta = rewards + GAMMA * next_values * (1 - terminals) - values
    adv, running = torch.zeros_like(rewards), 0.0
    for t in reversed(range(len(rewards))):
        running = delta[t] + GAMMA * LAM * (1 - ends[t]) * running
        adv[t] = running
    return adv


class Collector:
    def __init__(self, env, seed):
        self.env = env
        self.obs, _ = env.reset(seed=seed)
        self.total, self.episodes = 0.0, deque(maxlen=100)

    @torch.no_grad()
    def collect(self, agent, steps):
        keys = ("obs", "act", "logp", "rew", "next", "end", "term")
        data = {k: [] for k in keys}
        for _ in range(steps):
            obs = torch.as_tensor(self.obs, dtype=torch.float)
            dist = agent.policy(obs)
            act = dist.sample()
            self.obs, reward, terminated, truncated, _ = self.env.step(act.numpy())
            self.total += reward
            row = (obs, act, dist.log_prob(act), reward, self.obs,
                   terminated or truncated, terminated)
            for key, item in zip(keys, row):
                data[key].append(torch.as_tensor(item, dtype=torch.float))
            if terminated or truncated:
                self.episodes.append(self.total)
                self.obs, _ = self.env.reset()
                self.total = 0.0
        batch = {k: torch.stack(v) for k, v in data.items()}
        values = agent.value(batch["obs"]).squeeze(-1)
        following = agent.value(batch["next"]).squeeze(-1)
        adv = gae(batch["rew"], values, following, batch["end"], batch["term"])
        batch["ret"] = adv + values
        batch["adv"] = (adv - adv.mean()) / (adv.std() + 1e-8)
        return batch


def run(task, surrogate, seed, steps=STEPS):
    """Train once; returns the mean return of the last 100 episodes."""
    torch.manual_seed(seed)
    env = gym.make(f"{task}-v4")
    agent = Agent(env.observation_space.shape[0], env.action_space.shape[0])
    optimizer = torch.optim.Adam(agent.parameters(), lr=LR)
    collector = Collector(env, seed)
    for _ in range(steps // T):
        batch = collector.collect(agent, T)
        old = copy.deepcopy(agent).requires_grad_(False).policy
        for _ in range(EPOCHS):
            for idx in torch.randperm(T).split(MINIBATCH):
                part = {k: v[idx] for k, v in batch.items()}
                part["old"] = old
                error = agent.value(part["obs"]).squeeze(-1) - part["ret"]
                loss = surrogate.loss(agent, part) + error.pow(2).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        surrogate.after(agent, {**batch, "old": old})
    return sum(collector.episodes) / max(1, len(collector.episodes))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--task", default="HalfCheetah")
    p.add_argument("--surrogate", choices=SURROGATES, default="clip")
    p.add_argument("--coef", type=float, default=0.2)
    p.add_argument("--seed", type=int, default=0)
    a = p.parse_args()
    kind = SURROGATES[a.surrogate]
    print(run(a.task, kind() if a.surrogate == "none" else kind(a.coef), a.seed))
