import math

import torch
from torch import nn


def attention(q, k, v, mask):
    logits = q @ k.mT / math.sqrt(k.size(-1))
    logits = logits.masked_fill(mask, -torch.inf)
    return torch.softmax(logits, -1) @ v


class Heads(nn.Module):
    def __init__(self, width, count):
        super().__init__()
        self.count = count
        self.maps = nn.ModuleList(nn.Linear(width, width) for _ in range(4))

    def forward(self, x, y, mask):
        q, k, v = (
            f(t).unflatten(-1, (self.count, -1)).transpose(1, 2)
            for f, t in zip(self.maps, (x, y, y))
        )
        return self.maps[3](attention(q, k, v, mask).transpose(1, 2).flatten(-2))


class FeedForward(nn.Sequential):
    def __init__(self, width, inner):
        super().__init__(nn.Linear(width, inner), nn.ReLU(), nn.Linear(inner, width))


class Wrapped(nn.Module):
    """LayerNorm(x + Dropout(Sublayer(x)))."""

    def __init__(self, sublayer, width, dropout):
        super().__init__()
        self.sublayer = sublayer
        self.dropout = nn.Dropout(dropout)
        self.norm = nn.LayerNorm(width)

    def forward(self, x, *rest):
        return self.norm(x + self.dropout(self.sublayer(x, *rest)))


class SinusoidalPositions(nn.Module):
    def __init__(self, width, length=2000):
        super().__init__()
        t = torch.arange(length).unsqueeze(-1)
        w = 1 / 10000 ** (torch.arange(0, width, 2) / width)
        table = torch.stack([torch.sin(t * w), torch.cos(t * w)], dim=-1).flatten(1)
        self.register_buffer("table", table)

    def forward(self, x):
        return x + self.table[: x.size(1)]
