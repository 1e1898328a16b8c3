import torch
from torch import nn


class Drop(nn.Module):
    """Standard dropout on the output of a layer."""

    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, y):
        if not self.training or self.p == 0:
            return y
        r = (torch.rand(y.size(-1), device=y.device) > self.p).to(y.dtype)
        return y * r


class MLP(nn.Module):
    def __init__(self, widths, p_in=0.0, p_hid=0.0):
        super().__init__()
        sizes = [784, *widths]
        self.drop_in = Drop(p_in)
        self.drop_hid = Drop(p_hid)
        self.hidden = nn.ModuleList(nn.Linear(a, b) for a, b in zip(sizes, sizes[1:]))
        self.top = nn.Linear(sizes[-1], 10)

    def forward(self, x):
        h = self.drop_in(x.flatten(1))
        for layer in self.hidden:
            h = self.drop_hid(torch.relu(layer(h)))
        return self.top(h)


@torch.no_grad()
def max_norm_(model, c):
    """Project the incoming weights of each unit to norm at most c."""
    for layer in [*model.hidden, model.top]:
        norms = layer.weight.norm(p=2, dim=0, keepdim=True)
        layer.weight.mul_(torch.clamp(norms, max=c) / (norms + 1e-12))
