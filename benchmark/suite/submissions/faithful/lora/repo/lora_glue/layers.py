import torch
from torch import nn


class LowRankLinear(nn.Module):
    """A frozen linear layer plus a trainable product of two thin matrices."""

    def __init__(self, base: nn.Linear, r: int, alpha: float):
        super().__init__()
        self.base = base
        for p in self.base.parameters():
            p.requires_grad_(False)
        self.scale = alpha / r
        self.lora_a = nn.Parameter(torch.randn(r, base.in_features) * 0.02)
        self.lora_b = nn.Parameter(torch.zeros(base.out_features, r))
        self.merged = False

    def product(self):
        return self.scale * self.lora_b @ self.lora_a

    @torch.no_grad()
    def merge(self):
        if not self.merged:
            self.base.weight += self.product()
            self.merged = True

    @torch.no_grad()
    def unmerge(self):
        if self.merged:
            self.base.weight -= self.product()
            self.merged = False

    def forward(self, x):
        h = self.base(x)
        if self.merged:
            return h
        return h + (x @ self.lora_a.T) @ self.lora_b.T * self.scale


def low_rank_layers(model):
    return [m for m in model.modules() if isinstance(m, LowRankLinear)]


def insert(model, r, alpha):
    """Freeze the encoder and adapt the query and value projections of every layer."""
    for p in model.roberta.parameters():
        p.requires_grad_(False)
    for layer in model.roberta.encoder.layer:
        attention = layer.attention.self
        attention.query = LowRankLinear(attention.query, r, alpha)
        attention.value = LowRankLinear(attention.value, r, alpha)
    return model


def low_rank_state(model):
    return {k: v.cpu().clone() for k, v in model.state_dict().items() if "lora_" in k}
