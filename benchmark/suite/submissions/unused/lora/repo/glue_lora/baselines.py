"""Methods that LoRA is compared with."""

from torch import nn
from transformers import AutoModelForSequenceClassification


def full_fine_tuning(name: str, outputs: int):
    return AutoModelForSequenceClassification.from_pretrained(name, num_labels=outputs)


def bitfit(name: str, outputs: int):
    model = full_fine_tuning(name, outputs)
    for key, p in model.roberta.named_parameters():
        p.requires_grad = key.endswith(".bias")
    return model


class Adapter(nn.Module):
    def __init__(self, inner: nn.Module, width: int, bottleneck: int = 64) -> None:
        super().__init__()
        self.inner = inner
        self.down = nn.Linear(width, bottleneck)
        self.up = nn.Linear(bottleneck, width)
        nn.init.zeros_(self.up.weight)
        nn.init.zeros_(self.up.bias)

    def forward(self, *inputs):
        h = self.inner(*inputs)
        return h + self.up(nn.functional.gelu(self.down(h)))


def adapters(name: str, outputs: int):
    model = full_fine_tuning(name, outputs)
    model.roberta.requires_grad_(False)
    for block in model.roberta.encoder.layer:
        block.output = Adapter(block.output, model.config.hidden_size)
    return model
