import torch
from torch import nn
from torch.distributions import Independent, Normal


def body(inputs, outputs):
    return nn.Sequential(
        nn.Linear(inputs, 64), nn.Tanh(), nn.Linear(64, 64), nn.Tanh(), nn.Linear(64, outputs)
    )


class Agent(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.mean = body(obs_dim, act_dim)
        self.log_std = nn.Parameter(torch.zeros(act_dim))
        self.value = body(obs_dim, 1)

    def policy(self, obs):
        return Independent(Normal(self.mean(obs), self.log_std.exp()), 1)
