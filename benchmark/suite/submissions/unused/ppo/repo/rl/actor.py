import torch
from torch import nn
from torch.distributions import Independent, Normal


class Network(nn.Module):
    def __init__(self, inputs, outputs):
        super().__init__()
        self.first = nn.Linear(inputs, 64)
        self.second = nn.Linear(64, 64)
        self.out = nn.Linear(64, outputs)

    def forward(self, x):
        return self.out(torch.tanh(self.second(torch.tanh(self.first(x)))))


class Policy(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.mean = Network(obs_dim, act_dim)
        self.log_std = nn.Parameter(torch.zeros(act_dim))

    def forward(self, obs):
        return Independent(Normal(self.mean(obs), self.log_std.exp().expand_as(self.mean(obs))), 1)
