"""Normalised scores of the surrogates over seven tasks and three seeds."""

import json

import gymnasium as gym

from surrogates import SURROGATES
from train import run

TASKS = [
    "HalfCheetah", "Hopper", "InvertedDoublePendulum", "InvertedPendulum",
    "Reacher", "Swimmer", "Walker2d",
]
SEEDS = (0, 1, 2)
SETTINGS = [("none",)]
SETTINGS += [("clip", e) for e in (0.1, 0.2, 0.3)]
SETTINGS += [("adaptive", d) for d in (0.003, 0.01, 0.03)]
SETTINGS += [("fixed", b) for b in (0.3, 1.0, 3.0)]


def random_score(task, episodes=100):
    env = gym.make(f"{task}-v4")
    total = 0.0
    for episode in range(episodes):
        env.reset(seed=episode)
        over = False
        while not over:
            _, reward, terminated, truncated, _ = env.step(env.action_space.sample())
            total += reward
            over = terminated or truncated
    return total / episodes


def main():
    raw = {}
    for name, *coef in SETTINGS:
        for task in TASKS:
            for seed in SEEDS:
                raw[name, *coef, task, seed] = run(task, SURROGATES[name](*coef), seed)
    low = {task: random_score(task) for task in TASKS}
    high = {task: max(v for k, v in raw.items() if k[-2] == task) for task in TASKS}
    scores = {}
    for setting in SETTINGS:
        runs = [
            (v - low[k[-2]]) / (high[k[-2]] - low[k[-2]])
            for k, v in raw.items()
            if k[:-2] == setting
        ]
        scores[" ".join(map(str, setting))] = sum(runs) / len(runs)
    with open("scores.json", "w") as f:
        json.dump(scores, f, indent=2)
    print(scores)


if __name__ == "__main__":
    main()
