import torch
from torch import nn


class UnitDropout(nn.Module):
    """Retain a unit with probability p; the scale is corrected while training."""

    def __init__(self, p=1.0):
        super().__init__()
        self.p = p

    def forward(self, y):
        if self.training and self.p < 1:
            keep = torch.empty_like(y).bernoulli_(self.p)
            y = y * keep / self.p
        return y


class GaussianUnitDropout(nn.Module):
    def __init__(self, p=0.5):
        super().__init__()
        self.std = ((1 - p) / p) ** 0.5

    def forward(self, y):
        return y * torch.normal(1.0, self.std, y.shape, device=y.device) if self.training else y


class MaxNorm:
    """Clips the norm of the incoming weights of every unit of the linear layers."""

    def __init__(self, c=2.0):
        self.c = c

    @torch.no_grad()
    def __call__(self, model):
        for m in model.modules():
            if isinstance(m, nn.Linear):
                m.weight.copy_(torch.renorm(m.weight, p=2, dim=0, maxnorm=self.c))


class DropoutNet(nn.Module):
    def __init__(self, hidden, p_hidden=0.5, p_input=1.0):
        super().__init__()
        blocks = [UnitDropout(p_input)]
        n = 28 * 28
        for h in hidden:
            blocks.append(nn.Sequential(nn.Linear(n, h), nn.ReLU(), UnitDropout(p_hidden)))
            n = h
        self.body = nn.Sequential(*blocks)
        self.classify = nn.Linear(n, 10)

    def forward(self, x):
        return self.classify(self.body(x.view(len(x), -1)))
