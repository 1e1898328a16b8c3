import json
import tomllib

import gymnasium as gym
import torch

from rl.actor import Network, Policy
from rl.report import run_score
from rl.rollout import Collector, add_advantages

TASKS = [
    "HalfCheetah-v4",
    "Hopper-v4",
    "InvertedDoublePendulum-v4",
    "InvertedPendulum-v4",
    "Reacher-v4",
    "Swimmer-v4",
    "Walker2d-v4",
]

with open("settings.toml", "rb") as f:
    CONFIG = tomllib.load(f)["ppo"]


def improve(policy, value, optimizer, batch):
    """One gradient step on the whole segment."""
    adv = (batch.adv - batch.adv.mean()) / (batch.adv.std() + 1e-8)
    gain = (policy(batch.obs).log_prob(batch.act) * adv).mean()
    error = value(batch.obs).squeeze(-1) - batch.target
    optimizer.zero_grad()
    (error.pow(2).mean() - gain).backward()
    optimizer.step()


def train(task, seed):
    torch.manual_seed(seed)
    env = gym.make(task)
    collector = Collector(env, seed)
    policy = Policy(env.observation_space.shape[0], env.action_space.shape[0])
    value = Network(env.observation_space.shape[0], 1)
    optimizer = torch.optim.Adam(
        [*policy.parameters(), *value.parameters()], lr=CONFIG["stepsize"]
    )
    for _ in range(CONFIG["total_steps"] // CONFIG["horizon"]):
        batch = collector.collect(policy, CONFIG["horizon"])
        add_advantages(batch, value, CONFIG["gamma"], CONFIG["lam"])
        improve(policy, value, optimizer, batch)
    return run_score(collector.returns)


def main():
    scores = {}
    for task in TASKS:
        scores[task] = [train(task, seed) for seed in range(3)]
        print(task, scores[task])
    with open("scores.json", "w") as f:
        json.dump(scores, f, indent=2)


if __name__ == "__main__":
    main()
