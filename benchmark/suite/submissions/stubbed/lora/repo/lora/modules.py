"""Low-rank adaptation of linear layers."""

import torch
from torch import nn


class LoRALinear(nn.Module):
    def __init__(self, pretrained: nn.Linear, rank: int, alpha: float) -> None:
        super().__init__()
        self.pretrained = pretrained
        self.down = nn.Linear(pretrained.in_features, rank, bias=False)
        self.up = nn.Linear(rank, pretrained.out_features, bias=False)
        nn.init.normal_(self.down.weight, std=1.0 / rank)
        nn.init.zeros_(self.up.weight)
        self.scaling = alpha / rank

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.pretrained(x) + self.scaling * self.up(self.down(x))

    def merge(self) -> None:
        """Add the product of the two matrices to the pretrained weight."""
        raise NotImplementedError

    def unmerge(self) -> None:
        raise NotImplementedError


def apply_lora(model: nn.Module, rank: int, alpha: float) -> nn.Module:
    """Freeze `model.roberta` and adapt its query and value projections."""
    model.roberta.requires_grad_(False)
    for block in model.roberta.encoder.layer:
        heads = block.attention.self
        heads.query = LoRALinear(heads.query, rank, alpha)
        heads.value = LoRALinear(heads.value, rank, alpha)
    return model
