"""Frechet distance between generated images and CIFAR-10."""
import os

import torch
from torch.utils.data import DataLoader, Dataset
from torchmetrics.image.fid import FrechetInceptionDistance
from torchvision import datasets
from torchvision.io import read_image
from torchvision.transforms import PILToTensor

from ddpm.options import parser


class Folder(Dataset):
    def __init__(self, path):
        self.files = sorted(os.path.join(path, f) for f in os.listdir(path))

    def __len__(self):
        return len(self.files)

    def __getitem__(self, i):
        return read_image(self.files[i])


def main():
    args = parser("score").parse_args()
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    fid = FrechetInceptionDistance(feature=2048).to(device)

    real = datasets.CIFAR10(args.data, train=False, download=True, transform=PILToTensor())
    for x, _ in DataLoader(real, 250):
        fid.update(x.to(device), real=True)
    for x in DataLoader(Folder(os.path.join(args.out, "samples")), 250):
        fid.update(x.to(device), real=False)
    print(f"FID: {fid.compute().item():.2f}")


if __name__ == "__main__":
    main()
