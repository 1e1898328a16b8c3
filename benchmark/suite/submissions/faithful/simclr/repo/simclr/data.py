import random
from collections import defaultdict

import torch
from torch.utils.data import Subset
from torchvision.datasets import ImageFolder


def imagenet(root, split, transform):
    return ImageFolder(f"{root}/{split}", transform)


def balanced_subset(dataset, percent, seed=0):
    """The same number of images of each class, `percent` of the data in all."""
    by_class = defaultdict(list)
    for index, label in enumerate(dataset.targets):
        by_class[label].append(index)
    per_class = max(1, round(len(dataset) * percent / 100 / len(by_class)))
    rng = random.Random(seed)
    chosen = [i for indices in by_class.values() for i in rng.sample(indices, per_class)]
    return Subset(dataset, chosen)


@torch.no_grad()
def accuracy(model, loader, device, k):
    hits = total = 0
    for x, y in loader:
        top = model(x.to(device)).topk(k, dim=1).indices.cpu()
        hits += (top == y[:, None]).any(1).sum().item()
        total += len(y)
    return 100.0 * hits / total
