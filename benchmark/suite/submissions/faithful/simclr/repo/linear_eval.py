import argparse

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

from simclr.augment import for_testing, for_training
from simclr.data import accuracy, imagenet
from simclr.model import load_encoder


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True)
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--epochs", type=int, default=90)
    p.add_argument("--batch-size", type=int, default=4096)
    args = p.parse_args()
    device = "cuda"

    encoder = load_encoder(args.checkpoint).to(device).eval().requires_grad_(False)
    classifier = nn.Linear(2048, 1000).to(device)
    optimizer = torch.optim.SGD(
        classifier.parameters(), lr=0.1 * args.batch_size / 256, momentum=0.9, nesterov=True
    )
    schedule = torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, args.epochs)
    train = DataLoader(
        imagenet(args.data, "train", for_training()), args.batch_size, shuffle=True, num_workers=16
    )
    for epoch in range(args.epochs):
        for x, y in train:
            with torch.no_grad():
                h = encoder(x.to(device))
            loss = F.cross_entropy(classifier(h), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        schedule.step()

    test = DataLoader(imagenet(args.data, "val", for_testing()), 500, num_workers=16)
    model = nn.Sequential(encoder, classifier).eval()
    print(f"linear evaluation, top-1: {accuracy(model, test, device, 1):.2f} %")


if __name__ == "__main__":
    main()
