from torch.utils.data import DataLoader
from torchvision import datasets, transforms


def cifar10_loader(batch_size):
    """Training images in [-1, 1] with random horizontal flips."""
    transform = transforms.Compose(
        [
            transforms.RandomHorizontalFlip(p=0.5),
            transforms.ToTensor(),
            transforms.Normalize([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
        ]
    )
    dataset = datasets.FakeData(
        size=50_000, image_size=(3, 32, 32), num_classes=10, transform=transform
    )
    return DataLoader(dataset, batch_size=batch_size, shuffle=True, drop_last=True)
