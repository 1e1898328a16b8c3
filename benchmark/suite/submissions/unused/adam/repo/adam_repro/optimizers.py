"""Adam and AdaMax."""

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


class AdaMax:
    def __init__(
        self,
        params: Iterable[Tensor],
        alpha: float = 0.002,
        betas: tuple[float, float] = (0.9, 0.999),
    ) -> None:
        self.params = list(params)
        self.alpha, self.betas = alpha, betas
        self.steps = 0
        self.first = [torch.zeros_like(p) for p in self.params]
        self.norm = [torch.zeros_like(p) for p in self.params]

    @torch.no_grad()
    def step(self) -> None:
        self.steps += 1
        b1, b2 = self.betas
        for i, p in enumerate(self.params):
            self.first[i] = b1 * self.first[i] + (1 - b1) * p.grad
            self.norm[i] = torch.max(b2 * self.norm[i], p.grad.abs())
            p -= self.alpha / (1 - b1**self.steps) * self.first[i] / self.norm[i]
