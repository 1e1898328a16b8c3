import torch
from torch import nn
from torch.nn import functional as F


class NTXent(nn.Module):
    """Normalized temperature-scaled cross entropy over a batch of positive pairs."""

    def __init__(self, temperature=0.5):
        super().__init__()
        self.temperature = temperature

    def forward(self, za, zb):
        za, zb = F.normalize(za, dim=-1), F.normalize(zb, dim=-1)
        sim = za @ zb.t() / self.temperature
        target = torch.arange(len(za), device=za.device)
        return F.cross_entropy(sim, target)
