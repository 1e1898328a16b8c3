from collections import defaultdict

import numpy as np
from torchvision.datasets import FakeData


def pretraining_set(root, image_size, transform):
    """ILSVRC-2012 training images; labels are ignored by the caller."""
    # TODO: ImageFolder(root + "/train", transform)
    return FakeData(8192, (3, image_size, image_size), 1000, transform)


def labelled_subset(targets, fraction, seed=0):
    """Indices of a class-balanced sample of the labelled images."""
    rng = np.random.default_rng(seed)
    groups = defaultdict(list)
    for i, t in enumerate(targets):
        groups[t].append(i)
    size = int(len(targets) * fraction / len(groups))
    return np.concatenate([rng.choice(g, size, replace=False) for g in groups.values()])
