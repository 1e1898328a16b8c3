"""A linear layer with a low-rank update that can be folded into its weight."""

import torch
from torch import nn


class LoraLinear(nn.Module):
    def __init__(self, dense: nn.Linear, r: int = 8, alpha: int = 8) -> None:
        super().__init__()
        self.dense = dense.requires_grad_(False)
        self.A = nn.Parameter(torch.randn(r, dense.in_features) / r)
        self.B = nn.Parameter(torch.zeros(dense.out_features, r))
        self.gain = alpha / r
        self.folded = False

    def delta(self) -> torch.Tensor:
        return self.gain * (self.B @ self.A)

    def fold(self) -> None:
        """W = W0 + (alpha / r) BA."""
        self.dense.weight.data += self.delta()
        self.folded = True

    def unfold(self) -> None:
        """W0 = W - (alpha / r) BA."""
        self.dense.weight.data -= self.delta()
        self.folded = False

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        y = self.dense(x)
        return y if self.folded else y + self.gain * (x @ self.A.T @ self.B.T)
