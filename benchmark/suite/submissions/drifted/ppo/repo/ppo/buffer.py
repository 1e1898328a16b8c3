import numpy as np
import torch


class Rollout:
    """One segment of experience."""

    def __init__(self, horizon, obs_dim, act_dim):
        self.obs = torch.zeros(horizon, obs_dim)
        self.act = torch.zeros(horizon, act_dim)
        self.rew = torch.zeros(horizon)
        self.done = torch.zeros(horizon)
        self.last_obs = None

    def fill(self, env, state, agent, tracker):
        obs = state
        for t in range(len(self.rew)):
            self.obs[t] = torch.as_tensor(obs, dtype=torch.float32)
            action = agent.act(self.obs[t])
            self.act[t] = action
            obs, reward, terminated, truncated, _ = env.step(action.numpy())
            self.rew[t] = float(reward)
            self.done[t] = float(terminated or truncated)
            tracker.add(float(reward), terminated or truncated)
            if terminated or truncated:
                obs, _ = env.reset()
        self.last_obs = torch.as_tensor(np.asarray(obs), dtype=torch.float32)
        return obs

    @torch.no_grad()
    def advantages(self, agent, gamma, lam):
        values = agent.value(self.obs)
        next_value = agent.value(self.last_obs)
        adv = torch.zeros_like(self.rew)
        gae = 0.0
        for t in range(len(self.rew) - 1, -1, -1):
            alive = 1.0 - self.done[t]
            delta = self.rew[t] + gamma * next_value * alive - values[t]
            gae = delta + gamma * lam * alive * gae
            adv[t] = gae
            next_value = values[t]
        return adv, adv + values


class Tracker:
    """Returns of finished episodes."""

    def __init__(self):
        self.current = 0.0
        self.returns = []

    def add(self, reward, done):
        self.current += reward
        if done:
            self.returns.append(self.current)
            self.current = 0.0

    def score(self):
        return max(self.returns)
