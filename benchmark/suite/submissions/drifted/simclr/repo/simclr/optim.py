import torch
from torch.optim.lr_scheduler import CosineAnnealingWarmRestarts, LinearLR, SequentialLR


class LARS(torch.optim.SGD):
    """SGD with momentum and a layer-wise trust ratio (You et al., 2017)."""

    def __init__(self, params, lr, momentum=0.9, weight_decay=0.0, eta=1e-3):
        super().__init__(params, lr=lr, momentum=momentum, weight_decay=0.0)
        self.eta, self.decay = eta, weight_decay

    @torch.no_grad()
    def step(self, closure=None):
        for group in self.param_groups:
            for w in group["params"]:
                if w.grad is None or w.dim() == 1:
                    continue
                w.grad.add_(w, alpha=self.decay)
                ratio = self.eta * w.norm() / (w.grad.norm() + 1e-9)
                w.grad.mul_(torch.where(w.norm() > 0, ratio, torch.ones_like(ratio)))
        return super().step(closure)


def schedule(optimizer, warmup, total):
    """Linear warm-up followed by cosine annealing (stepped once per iteration)."""
    rise = LinearLR(optimizer, start_factor=1e-3, total_iters=warmup)
    fall = CosineAnnealingWarmRestarts(optimizer, T_0=max(1, (total - warmup) // 3))
    return SequentialLR(optimizer, [rise, fall], milestones=[warmup])
