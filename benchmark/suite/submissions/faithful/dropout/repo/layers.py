import math

import torch
from torch import nn


class BernoulliDropout(nn.Module):
    """Keep each unit with probability `keep`; use the expectation outside training."""

    def __init__(self, keep):
        super().__init__()
        self.keep = keep

    def forward(self, y):
        if self.training:
            r = torch.bernoulli(torch.full_like(y, self.keep))
            return r * y
        return self.keep * y


class GaussianDropout(nn.Module):
    """Multiply by noise with mean one and variance (1 - keep) / keep."""

    def __init__(self, keep):
        super().__init__()
        self.sigma = math.sqrt((1.0 - keep) / keep)

    def forward(self, y):
        if self.training:
            return y * (1.0 + self.sigma * torch.randn_like(y))
        return y


def noise_layer(kind, keep):
    if kind == "bernoulli":
        return BernoulliDropout(keep)
    if kind == "gaussian":
        return GaussianDropout(keep)
    return nn.Identity()


@torch.no_grad()
def project(network, radius):
    """Bring every incoming weight vector back into the ball of the given radius."""
    for module in network.modules():
        if isinstance(module, nn.Linear):
            norm = module.weight.norm(dim=1, keepdim=True)
            module.weight.mul_(radius / norm.clamp(min=radius))


def mlp(settings, inputs=784, classes=10):
    input_noise = "none" if settings.noise == "gaussian" else settings.noise
    parts = [nn.Flatten(), noise_layer(input_noise, settings.keep_input)]
    width = inputs
    for units in settings.hidden:
        parts += [nn.Linear(width, units), nn.ReLU(), noise_layer(settings.noise, settings.keep_hidden)]
        width = units
    parts.append(nn.Linear(width, classes))
    return nn.Sequential(*parts)
