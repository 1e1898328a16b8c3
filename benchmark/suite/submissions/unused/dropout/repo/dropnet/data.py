import torch
from torch.utils.data import ConcatDataset, random_split
from torchvision import datasets, transforms


def mnist_splits(n_validation, seed=0):
    """(training, validation, test); the validation images are random training images."""
    to_tensor = transforms.ToTensor()
    full = datasets.MNIST("data", train=True, download=True, transform=to_tensor)
    test = datasets.MNIST("data", train=False, download=True, transform=to_tensor)
    generator = torch.Generator().manual_seed(seed)
    train, val = random_split(full, [len(full) - n_validation, n_validation], generator)
    return train, val, test


def joined(train, val):
    """Training and validation images together, for the final fit."""
    return ConcatDataset([train, val])
