import torch
import torch.nn as nn


def mlp(sizes):
    layers = []
    for i in range(len(sizes) - 2):
        layers += [nn.Linear(sizes[i], sizes[i + 1]), nn.Tanh()]
    return nn.Sequential(*layers, nn.Linear(sizes[-2], sizes[-1]))


class GaussianPolicy(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.mean_net = mlp([obs_dim, 64, 64, act_dim])
        self.log_std = nn.Parameter(-0.5 * torch.ones(act_dim))

    def forward(self, obs):
        return torch.distributions.Normal(self.mean_net(obs), self.log_std.exp())


class ValueFunction(nn.Module):
    def __init__(self, obs_dim):
        super().__init__()
        self.net = mlp([obs_dim, 64, 64, 1])

    def forward(self, obs):
        return self.net(obs).squeeze(-1)
