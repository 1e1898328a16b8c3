"""Adam and AdaMax.

AdaMax (alpha=0.002, beta1=0.9, beta2=0.999) replaces the second moment by the infinity norm
u_t = max(beta2 * u_{t-1}, |g_t|) and steps by alpha / (1 - beta1^t) * m_t / u_t.
"""

from typing import Iterable

import torch
from torch import Tensor


class Adam:
    def __init__(
        self,
        params: Iterable[Tensor],
        alpha: float = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        epsilon: float = 1e-8,
        debias: bool = True,
    ) -> None:
        self.params = list(params)
        self.alpha, self.betas, self.epsilon, self.debias = alpha, betas, epsilon, debias
        self.steps = 0
        self.first = [torch.zeros_like(p) for p in self.params]
        self.second = [torch.zeros_like(p) for p in self.params]

    @torch.no_grad()
    def step(self) -> None:
        self.steps += 1
        b1, b2 = self.betas
        for i, p in enumerate(self.params):
            grad = p.grad
            self.first[i] = b1 * self.first[i] + (1 - b1) * grad
            self.second[i] = b2 * self.second[i] + (1 - b2) * grad**2
            mean, var = self.first[i], self.second[i]
            if self.debias:
                mean = mean / (1 - b1**self.steps)
                var = var / (1 - b2**self.steps)
            p -= self.alpha * mean / (var.sqrt() + self.epsilon)
