import argparse

import torch
from torch import nn
from torch.nn import functional as F
from torch.utils.data import DataLoader

from simclr.augment import for_testing, for_training
from simclr.data import accuracy, balanced_subset, imagenet
from simclr.model import load_encoder


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True)
    p.add_argument("--checkpoint", required=True)
    p.add_argument("--percent", type=float, required=True)
    p.add_argument("--batch-size", type=int, default=512)
    args = p.parse_args()
    device = "cuda"

    model = nn.Sequential(load_encoder(args.checkpoint), nn.Linear(2048, 1000)).to(device)
    subset = balanced_subset(imagenet(args.data, "train", for_training()), args.percent)
    loader = DataLoader(subset, args.batch_size, shuffle=True, num_workers=16)
    optimizer = torch.optim.SGD(
        model.parameters(), lr=0.05 * args.batch_size / 256, momentum=0.9, nesterov=True
    )
    for _ in range(60 if args.percent <= 1 else 30):
        model.train()
        for x, y in loader:
            loss = F.cross_entropy(model(x.to(device)), y.to(device))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()

    model.eval()
    test = DataLoader(imagenet(args.data, "val", for_testing()), 500, num_workers=16)
    print(f"{args.percent:g} % of labels, top-5: {accuracy(model, test, device, 5):.2f} %")


if __name__ == "__main__":
    main()
