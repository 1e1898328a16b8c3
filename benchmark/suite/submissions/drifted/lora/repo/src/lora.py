"""LoRA layers."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class LoRALayer(nn.Module):
    def __init__(self, linear: nn.Linear, r: int = 8, alpha: int = 32, dropout: float = 0.0):
        super().__init__()
        self.weight = linear.weight
        self.bias = linear.bias
        self.lora_A = nn.Parameter(torch.empty(r, linear.in_features))
        self.lora_B = nn.Parameter(torch.empty(linear.out_features, r))
        self.scaling = alpha / r
        self.dropout = nn.Dropout(dropout)
        self.merged = False
        self.reset_parameters()

    def reset_parameters(self):
        nn.init.kaiming_uniform_(self.lora_A, a=math.sqrt(5))
        nn.init.zeros_(self.lora_B)

    def forward(self, x):
        out = F.linear(x, self.weight, self.bias)
        if not self.merged:
            out = out + self.dropout(x) @ self.lora_A.t() @ self.lora_B.t() * self.scaling
        return out

    @torch.no_grad()
    def merge(self):
        """Fold the low-rank update into the dense weight."""
        if self.merged:
            return
        self.weight += self.lora_B @ self.lora_A
        self.merged = True

    @torch.no_grad()
    def unmerge(self):
        """Get the pretrained weight back."""
        if not self.merged:
            return
        self.weight -= self.lora_B @ self.lora_A
        self.merged = False


def add_lora(model: nn.Module, cfg: dict) -> nn.Module:
    for module in list(model.modules()):
        for name, child in list(module.named_children()):
            if name in cfg["targets"] and isinstance(child, nn.Linear):
                setattr(module, name, LoRALayer(child, r=cfg["r"], dropout=cfg["dropout"]))
    return model


def freeze_base(model: nn.Module) -> None:
    """Only the adaptation parameters and the task head stay trainable."""
    trainable = ("lora_", "bias", "classifier")
    for name, param in model.named_parameters():
        param.requires_grad = any(key in name for key in trainable)


def lora_state_dict(model: nn.Module) -> dict:
    return {k: v for k, v in model.state_dict().items() if "lora_" in k}
