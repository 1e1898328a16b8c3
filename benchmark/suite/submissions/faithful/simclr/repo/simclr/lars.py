import torch
from torch.optim import Optimizer


class LARS(Optimizer):
    """Momentum SGD whose step is scaled, layer by layer, by the ratio of weight and gradient norm."""

    def __init__(self, params, lr, weight_decay, momentum=0.9, trust=0.001):
        super().__init__(params, dict(lr=lr, weight_decay=weight_decay, momentum=momentum, trust=trust))

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                update = p.grad
                if p.ndim > 1:  # neither biases nor batch norm
                    update = update.add(p, alpha=group["weight_decay"])
                    w, u = p.norm(), update.norm()
                    if w > 0 and u > 0:
                        update = update * (group["trust"] * w / u)
                memory = self.state[p].setdefault("momentum", torch.zeros_like(p))
                memory.mul_(group["momentum"]).add_(update)
                p.add_(memory, alpha=-group["lr"])
