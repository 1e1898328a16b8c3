import torch
from torchvision.datasets import MNIST


def load(train, device):
    raw = MNIST("data", train=train, download=True)
    return raw.data.to(device).float() / 255.0, raw.targets.to(device)


def hold_out(x, y, count, seed):
    order = torch.randperm(len(x), generator=torch.Generator().manual_seed(seed)).to(x.device)
    rest, held = order[count:], order[:count]
    return (x[rest], y[rest]), (x[held], y[held])


def minibatches(x, y, size):
    while True:
        order = torch.randperm(len(x), device=x.device)
        for start in range(0, len(x) - size + 1, size):
            index = order[start : start + size]
            yield x[index], y[index]
