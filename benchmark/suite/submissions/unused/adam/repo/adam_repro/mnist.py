import torch
from torch.utils.data import DataLoader, TensorDataset
from torchvision import datasets


def mnist_loader(batch_size: int, root: str = "./data") -> DataLoader:
    raw = datasets.MNIST(root, train=True, download=True)
    images = raw.data.view(-1, 784).to(torch.float32) / 255.0
    return DataLoader(TensorDataset(images, raw.targets), batch_size=batch_size, shuffle=True)
