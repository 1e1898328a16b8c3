import torch
import torch.nn as nn
import torch.nn.functional as F


class LogisticRegression(nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(28 * 28, 10)

    def forward(self, x):
        return self.linear(x.flatten(1))


class TwoLayerNet(nn.Module):
    def __init__(self, hidden=1000, p=0.5):
        super().__init__()
        self.fc1 = nn.Linear(28 * 28, hidden)
        self.fc2 = nn.Linear(hidden, hidden)
        self.out = nn.Linear(hidden, 10)
        self.drop = nn.Dropout(p)

    def forward(self, x):
        h = self.drop(F.relu(self.fc1(x.flatten(1))))
        h = self.drop(F.relu(self.fc2(h)))
        return self.out(h)


class AutoEncoder(nn.Module):
    """VAE with one hidden layer of 500 softplus units and 50 latent dimensions."""

    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(784, 500)
        self.stats = nn.Linear(500, 100)
        self.up = nn.Linear(50, 500)
        self.pixels = nn.Linear(500, 784)

    def forward(self, x):
        x = x.flatten(1)
        mean, logvar = self.stats(F.softplus(self.hidden(x))).chunk(2, dim=1)
        z = mean + torch.exp(0.5 * logvar) * torch.randn_like(mean)
        logits = self.pixels(F.softplus(self.up(z)))
        nll = F.binary_cross_entropy_with_logits(logits, x, reduction="none").sum(1)
        kl = 0.5 * (mean**2 + logvar.exp() - logvar - 1).sum(1)
        return (nll + kl).mean()
