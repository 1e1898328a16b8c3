"""Quality of a frozen backbone."""
import torch
from torch import nn


@torch.no_grad()
def features(backbone, loader, device):
    backbone.eval()
    pairs = [(backbone(x.to(device)), y.to(device)) for x, y in loader]
    h, y = zip(*pairs)
    return torch.cat(h), torch.cat(y)


def neighbour_accuracy(backbone, train, val, k, device):
    """Top-1 accuracy of a weighted nearest-neighbour vote on h."""
    bank, labels = features(backbone, train, device)
    query, wanted = features(backbone, val, device)
    bank, query = nn.functional.normalize(bank), nn.functional.normalize(query)
    right = 0
    for q, w in zip(query.split(256), wanted.split(256)):
        weight, index = (q @ bank.t()).topk(k)
        votes = torch.zeros(len(q), 1000, device=device)
        votes.scatter_add_(1, labels[index], (weight / 0.07).exp())
        right += (votes.argmax(1) == w).sum().item()
    return right / len(wanted)


class LinearProbe:
    """Linear classifier on the frozen representation, 90 epochs of Nesterov SGD."""

    def __init__(self, backbone, settings, device):
        self.backbone = backbone.eval().requires_grad_(False)
        self.settings = settings
        self.device = device
        self.layer = nn.Linear(2048, 1000).to(device)

    def fit(self, loader):
        opt = torch.optim.SGD(
            self.layer.parameters(), self.settings.learning_rate, momentum=0.9, nesterov=True
        )
        for _ in range(self.settings.epochs):
            for x, y in loader:
                with torch.no_grad():
                    h = self.backbone(x.to(self.device))
                loss = nn.functional.cross_entropy(self.layer(h), y.to(self.device))
                opt.zero_grad()
                loss.backward()
                opt.step()
        return self

    @torch.no_grad()
    def top1(self, loader):
        hits = [
            (self.layer(self.backbone(x.to(self.device))).argmax(1).cpu() == y).float() for x, y in loader
        ]
        return torch.cat(hits).mean().item()
