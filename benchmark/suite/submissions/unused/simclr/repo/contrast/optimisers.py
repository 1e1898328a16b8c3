import math

import torch


class Lars(torch.optim.Optimizer):
    """Layer-wise adaptive rate scaling."""

    def __init__(self, params, lr, weight_decay=1e-6, momentum=0.9, coefficient=1e-3):
        defaults = dict(lr=lr, weight_decay=weight_decay, momentum=momentum, coefficient=coefficient)
        super().__init__(params, defaults)

    @torch.no_grad()
    def step(self, closure=None):
        for g in self.param_groups:
            for p in (p for p in g["params"] if p.grad is not None):
                d = p.grad
                if p.dim() > 1:
                    d = d + g["weight_decay"] * p
                    norms = p.norm() / d.norm().clamp(min=1e-9)
                    d = d * (g["coefficient"] * norms if norms > 0 else 1.0)
                buffer = self.state[p].setdefault("velocity", torch.zeros_like(p))
                buffer.mul_(g["momentum"]).add_(d)
                p.sub_(g["lr"] * buffer)


def scaled_rate(batch_size):
    """Linear scaling rule."""
    return 0.3 * batch_size / 256


def warmup_cosine(optimizer, warmup, total):
    """Linear rise for `warmup` steps, then one half cosine down to zero at `total`."""

    def factor(step):
        if step < warmup:
            return (step + 1) / warmup
        return 0.5 * (1 + math.cos(math.pi * (step - warmup) / (total - warmup)))

    return torch.optim.lr_scheduler.LambdaLR(optimizer, factor)
