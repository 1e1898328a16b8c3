"""Effect of the bias-correction terms on a variational auto-encoder."""

from itertools import product

import torch
import torch.nn.functional as F
from torch import nn

from .optimizers import Adam


class Vae(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(784, 500), nn.Softplus(), nn.Linear(500, 100))
        self.decoder = nn.Sequential(nn.Linear(50, 500), nn.Softplus(), nn.Linear(500, 784))

    def forward(self, x):
        mu, log_var = self.encoder(x).chunk(2, dim=1)
        z = mu + torch.exp(log_var / 2) * torch.randn_like(mu)
        reconstruction = F.binary_cross_entropy_with_logits(self.decoder(z), x, reduction="sum")
        divergence = 0.5 * torch.sum(mu**2 + log_var.exp() - 1 - log_var)
        return (reconstruction + divergence) / x.shape[0]


def bias_correction_study(loader, epochs=100, report=(10, 100)):
    losses = {}
    for b1, b2, exponent in product((0.0, 0.9), (0.99, 0.999, 0.9999), (-5, -4, -3, -2, -1)):
        for debias in (True, False):
            torch.manual_seed(0)
            vae = Vae()
            opt = Adam(vae.parameters(), 10.0**exponent, (b1, b2), debias=debias)
            for epoch in range(1, epochs + 1):
                total, seen = 0.0, 0
                for x, _ in loader:
                    vae.zero_grad()
                    loss = vae(x)
                    loss.backward()
                    opt.step()
                    total += loss.item() * len(x)
                    seen += len(x)
                if epoch in report:
                    losses[b1, b2, exponent, debias, epoch] = total / seen
    return losses
