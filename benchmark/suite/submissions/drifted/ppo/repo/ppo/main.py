import copy
import json
import sys
from pathlib import Path

import gymnasium as gym
import torch
import yaml

from .algorithm import PPO
from .buffer import Rollout, Tracker
from .nets import ActorCritic

CONF = Path(__file__).resolve().parent.parent / "conf"
VARIANTS = {
    "no clipping or penalty": {"name": "none"},
    "clip 0.1": {"name": "clip", "clip_range": 0.1},
    "clip (default)": {"name": "clip"},
    "clip 0.3": {"name": "clip", "clip_range": 0.3},
    "kl 0.003": {"name": "kl", "d_targ": 0.003},
    "kl 0.01": {"name": "kl", "d_targ": 0.01},
    "kl 0.03": {"name": "kl", "d_targ": 0.03},
}


def merge(into, other):
    for key, value in other.items():
        if isinstance(value, dict):
            merge(into.setdefault(key, {}), value)
        else:
            into[key] = value
    return into


def load_config(argv):
    cfg = {}
    for name in ("base.yaml", "mujoco.yaml"):
        merge(cfg, yaml.safe_load((CONF / name).read_text()))
    for item in argv:
        path, value = item.split("=", 1)
        group, key = path.split(".")
        cfg[group][key] = yaml.safe_load(value)
    return cfg


def train(task, algo, seed, total_steps):
    torch.manual_seed(seed)
    env = gym.make(task)
    obs_dim, act_dim = env.observation_space.shape[0], env.action_space.shape[0]
    agent = ActorCritic(obs_dim, act_dim)
    learner, tracker = PPO(agent, algo), Tracker()
    state, _ = env.reset(seed=seed)
    for _ in range(total_steps // algo["horizon"]):
        rollout = Rollout(algo["horizon"], obs_dim, act_dim)
        state = rollout.fill(env, state, agent, tracker)
        learner.update(rollout)
    return tracker.score()


def main():
    cfg = load_config(sys.argv[1:])
    exp = cfg["experiment"]
    tasks = exp["tasks"] if exp["task"] == "all" else [exp["task"] + "-v4"]
    results = {}
    for label, change in VARIANTS.items():
        algo = merge(copy.deepcopy(cfg["algo"]), change)
        results[label] = {t: train(t, algo, exp["seed"], exp["total_steps"]) for t in tasks}
        print(label, results[label])
    Path("results.json").write_text(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
