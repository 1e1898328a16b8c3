import torch
from torch import nn
from torch.nn import functional as F


def softmax_regression():
    return nn.Linear(784, 10)


def mlp(hidden, dropout):
    layers, width = [], 784
    for size in hidden:
        layers += [nn.Linear(width, size), nn.ReLU(), nn.Dropout(dropout)]
        width = size
    return nn.Sequential(*layers, nn.Linear(width, 10))


class VAE(nn.Module):
    def __init__(self, latent=50, hidden=500):
        super().__init__()
        self.enc = nn.Linear(784, hidden)
        self.mu = nn.Linear(hidden, latent)
        self.logvar = nn.Linear(hidden, latent)
        self.dec = nn.Sequential(nn.Linear(latent, hidden), nn.Softplus(), nn.Linear(hidden, 784))

    def loss(self, x):
        h = F.softplus(self.enc(x))
        mu, logvar = self.mu(h), self.logvar(h)
        z = mu + torch.randn_like(mu) * (0.5 * logvar).exp()
        rec = F.binary_cross_entropy_with_logits(self.dec(z), x, reduction="sum")
        kl = -0.5 * (1 + logvar - mu.pow(2) - logvar.exp()).sum()
        return (rec + kl) / len(x)
