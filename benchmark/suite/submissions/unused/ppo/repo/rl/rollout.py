from types import SimpleNamespace

import torch


class Collector:
    """Runs a policy in one environment and keeps the total reward of each finished episode."""

    def __init__(self, env, seed):
        self.env = env
        self.obs, _ = env.reset(seed=seed)
        self.total, self.returns = 0.0, []

    @torch.no_grad()
    def collect(self, policy, steps):
        cols = {k: [] for k in ("obs", "act", "logp", "reward", "next_obs", "terminal", "last")}
        for _ in range(steps):
            x = torch.as_tensor(self.obs, dtype=torch.float32)
            dist = policy(x)
            a = dist.sample()
            self.obs, reward, terminated, truncated, _ = self.env.step(a.numpy())
            self.total += float(reward)
            over = terminated or truncated
            row = (x, a, dist.log_prob(a), reward, self.obs, terminated, over)
            for key, item in zip(cols, row):
                cols[key].append(torch.as_tensor(item, dtype=torch.float32))
            if over:
                self.returns.append(self.total)
                self.total = 0.0
                self.obs, _ = self.env.reset()
        return SimpleNamespace(**{k: torch.stack(v) for k, v in cols.items()})


@torch.no_grad()
def add_advantages(batch, value, gamma, lam):
    v, v_next = value(batch.obs).squeeze(-1), value(batch.next_obs).squeeze(-1)
    delta = batch.reward + gamma * (1 - batch.terminal) * v_next - v
    adv = torch.empty_like(delta)
    carry = torch.zeros(())
    for t in range(len(delta) - 1, -1, -1):
        carry = delta[t] + gamma * lam * (1 - batch.last[t]) * carry
        adv[t] = carry
    batch.adv, batch.target = adv, adv + v
