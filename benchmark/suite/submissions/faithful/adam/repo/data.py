import torch
from torchvision.datasets import MNIST


def mnist(root):
    ds = MNIST(root, train=True, download=True)
    x = ds.data.float().div(255).view(-1, 784)
    return x, ds.targets


def batches(x, y, size, generator):
    order = torch.randperm(len(x), generator=generator)
    for i in range(0, len(x), size):
        idx = order[i : i + size]
        yield x[idx], y[idx]
