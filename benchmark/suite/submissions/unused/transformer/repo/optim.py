import torch
from torch import nn


def noam(step, width=512, warmup=4000):
    step = max(step, 1)
    return width**-0.5 * min(step**-0.5, step * warmup**-1.5)


class LabelSmoothing(nn.Module):
    """KL divergence to a target with mass `eps` spread over the vocabulary."""

    def __init__(self, eps=0.1, pad=0):
        super().__init__()
        self.eps, self.pad = eps, pad

    def forward(self, logits, gold):
        logp = logits.log_softmax(-1)
        exact = -logp.gather(-1, gold.unsqueeze(-1)).squeeze(-1)
        spread = -logp.mean(-1)
        loss = (1 - self.eps) * exact + self.eps * spread
        keep = gold != self.pad
        return loss[keep].mean()


def make_adam(parameters, lr):
    return torch.optim.Adam(parameters, lr=lr, betas=(0.9, 0.98), eps=1e-9)
