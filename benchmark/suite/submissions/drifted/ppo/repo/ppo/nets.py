import torch
import torch.nn as nn
from torch.distributions import Normal


class ActorCritic(nn.Module):
    """Two hidden layers of 64 tanh units; Gaussian policy and value function."""

    def __init__(self, obs_dim, act_dim, hidden=64):
        super().__init__()
        self.trunk = nn.Sequential(
            nn.Linear(obs_dim, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh()
        )
        self.mu = nn.Linear(hidden, act_dim)
        self.log_std = nn.Linear(hidden, act_dim)
        self.v = nn.Linear(hidden, 1)

    def dist(self, obs):
        h = self.trunk(obs)
        return Normal(self.mu(h), self.log_std(h).clamp(-5, 2).exp())

    def log_prob(self, obs, act):
        return self.dist(obs).log_prob(act).sum(-1)

    def value(self, obs):
        return self.v(self.trunk(obs)).squeeze(-1)

    @torch.no_grad()
    def act(self, obs):
        return self.dist(obs).sample()
