from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def training_set(root, augment=True):
    steps = []
    if augment:
        steps.append(transforms.RandomHorizontalFlip())
    steps.append(transforms.ToTensor())
    steps.append(transforms.Lambda(lambda x: x * 2.0 - 1.0))
    return datasets.CIFAR10(root, train=True, download=True, transform=transforms.Compose(steps))


def endless_loader(cfg):
    loader = DataLoader(
        training_set(cfg["root"]),
        batch_size=cfg["batch_size"],
        shuffle=True,
        drop_last=True,
        num_workers=cfg["workers"],
        pin_memory=True,
    )
    while True:
        for images, _ in loader:
            yield images


def reference_loader(cfg, batch_size):
    return DataLoader(training_set(cfg["root"], augment=False), batch_size=batch_size)
