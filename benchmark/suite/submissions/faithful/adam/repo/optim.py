"""First-order optimisers with per-coordinate step sizes."""

import torch
from torch.optim import Optimizer


class Adam(Optimizer):
    def __init__(self, params, lr=1e-3, beta1=0.9, beta2=0.999, eps=1e-8, correct_bias=True):
        super().__init__(params, dict(lr=lr, beta1=beta1, beta2=beta2, eps=eps))
        self.correct_bias = correct_bias

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            b1, b2 = group["beta1"], group["beta2"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if not st:
                    st["t"] = 0
                    st["m"] = torch.zeros_like(p)
                    st["v"] = torch.zeros_like(p)
                st["t"] += 1
                g = p.grad
                st["m"].mul_(b1).add_(g, alpha=1 - b1)
                st["v"].mul_(b2).addcmul_(g, g, value=1 - b2)
                m, v = st["m"], st["v"]
                if self.correct_bias:
                    m = m / (1 - b1 ** st["t"])
                    v = v / (1 - b2 ** st["t"])
                p.sub_(group["lr"] * m / (v.sqrt() + group["eps"]))


class Adamax(Optimizer):
    def __init__(self, params, lr=2e-3, beta1=0.9, beta2=0.999):
        super().__init__(params, dict(lr=lr, beta1=beta1, beta2=beta2))

    @torch.no_grad()
    def step(self):
        for group in self.param_groups:
            b1, b2 = group["beta1"], group["beta2"]
            for p in group["params"]:
                if p.grad is None:
                    continue
                st = self.state[p]
                if not st:
                    st["t"] = 0
                    st["m"] = torch.zeros_like(p)
                    st["u"] = torch.zeros_like(p)
                st["t"] += 1
                g = p.grad
                st["m"].mul_(b1).add_(g, alpha=1 - b1)
                st["u"] = torch.maximum(b2 * st["u"], g.abs())
                # coordinates that have never seen a gradient must not divide 0 by 0
                denom = st["u"].clamp_min(torch.finfo(p.dtype).tiny)
                p.sub_(group["lr"] / (1 - b1 ** st["t"]) * st["m"] / denom)


def build(name, params, cfg, factor=1.0):
    """Optimiser `name` with `factor` times its usual learning rate."""
    if name == "adam":
        opt = Adam(params, **cfg["adam"])
    elif name == "adamax":
        opt = Adamax(params, **cfg["adamax"])
    elif name == "sgd_nesterov":
        opt = torch.optim.SGD(params, lr=0.01, momentum=0.9, nesterov=True)
    elif name == "adagrad":
        opt = torch.optim.Adagrad(params, lr=0.01)
    elif name == "rmsprop":
        opt = torch.optim.RMSprop(params, lr=0.001)
    elif name == "adadelta":
        opt = torch.optim.Adadelta(params, lr=1.0)
    else:
        raise ValueError(name)
    for group in opt.param_groups:
        group["lr"] *= factor
    return opt
