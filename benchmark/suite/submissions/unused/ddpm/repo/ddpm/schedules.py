import math

import torch


def linear_schedule(steps, beta_start=1e-4, beta_end=0.02):
    """Variances that grow linearly from beta_start to beta_end."""
    return torch.linspace(beta_start, beta_end, steps)


def cosine_schedule(steps, offset=0.008, max_beta=0.999):
    """Variances whose cumulative product follows a squared cosine."""

    def bar(u):
        return math.cos((u + offset) / (1 + offset) * math.pi / 2) ** 2

    betas = [min(1 - bar((i + 1) / steps) / bar(i / steps), max_beta) for i in range(steps)]
    return torch.tensor(betas, dtype=torch.float32)
