import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Subset
from torchvision.datasets import ImageFolder

from simclr.views import plain


def loaders(cfg, batch_size, fraction=1.0):
    train = ImageFolder(f"{cfg['data']}/train", plain(cfg["image_size"], True))
    val = ImageFolder(f"{cfg['data']}/val", plain(cfg["image_size"], False))
    if fraction < 1.0:
        rng = np.random.default_rng(0)
        train = Subset(train, rng.permutation(len(train))[: int(fraction * len(train))])
    make = lambda d, s: DataLoader(d, batch_size, shuffle=s, num_workers=cfg["workers"])  # noqa: E731
    return make(train, True), make(val, False)


def fit_classifier(net, train, val, epochs, lr, device, weight_decay=0.0):
    """Train a linear classifier on frozen features; return top-1 accuracy."""
    net.eval()
    clf = nn.Linear(net.out_dim, 1000).to(device)
    opt = torch.optim.SGD(clf.parameters(), lr=lr, momentum=0.9, nesterov=True,
                          weight_decay=weight_decay)
    for _ in range(epochs):
        for x, y in train:
            with torch.no_grad():
                features = net(x.to(device))
            loss = nn.functional.cross_entropy(clf(features), y.to(device))
            opt.zero_grad()
            loss.backward()
            opt.step()

    correct = seen = 0
    with torch.no_grad():
        for x, y in val:
            guess = clf(net(x.to(device))).argmax(dim=1).cpu()
            correct += (guess == y).sum().item()
            seen += len(y)
    return correct / seen


def linear_evaluation(cfg, net, device):
    o = cfg["probe"]
    return fit_classifier(net, *loaders(cfg, o["batch_size"]), o["epochs"], o["lr"], device)


def semi_supervised(cfg, net, device):
    """Accuracy with few labels."""
    o = cfg["semi"]
    train, val = loaders(cfg, 256, o["fraction"])
    return fit_classifier(net, train, val, o["epochs"], o["lr"], device, o["weight_decay"])
