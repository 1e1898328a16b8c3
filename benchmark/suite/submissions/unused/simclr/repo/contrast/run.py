import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader
from torchvision.datasets import ImageNet

from contrast.augmentation import Twice, center, contrastive
from contrast.networks import Backbone, make_head
from contrast.objective import nt_xent
from contrast.probe import neighbour_accuracy
from contrast.settings import Pretraining, Probe


class Experiment:
    def __init__(self, root, device):
        self.root, self.device = root, device
        self.cfg, self.probe = Pretraining(), Probe()
        self.backbone = Backbone()
        self.head = make_head(Backbone.width, self.cfg.embedding)
        self.model = nn.DataParallel(nn.Sequential(self.backbone, self.head).to(device))

    def loader(self, split, transform, batch_size, shuffle):
        dataset = ImageNet(self.root, split, transform=transform)
        return DataLoader(
            dataset, batch_size, shuffle=shuffle, drop_last=shuffle, num_workers=self.cfg.workers
        )

    def pretrain(self):
        cfg = self.cfg
        views = Twice(contrastive(cfg.image_size, cfg.jitter))
        loader = self.loader("train", views, cfg.batch_size, True)
        opt = torch.optim.Adam(
            self.model.parameters(), lr=cfg.learning_rate, weight_decay=cfg.weight_decay
        )
        decay = torch.optim.lr_scheduler.CosineAnnealingLR(opt, cfg.epochs * len(loader))
        for epoch in range(cfg.epochs):
            self.model.train()
            for (x1, x2), _ in loader:
                z = self.model(torch.cat([x1, x2]).to(self.device))
                loss = nt_xent(*z.chunk(2), cfg.temperature)
                opt.zero_grad()
                loss.backward()
                opt.step()
                decay.step()
            print(f"epoch {epoch}: loss {loss.item():.4f}")
        torch.save(self.backbone.state_dict(), "backbone.pt")

    def evaluate(self):
        side = self.cfg.image_size
        train = self.loader("train", center(side), 512, False)
        val = self.loader("val", center(side), 512, False)
        return neighbour_accuracy(self.backbone, train, val, self.probe.neighbours, self.device)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--imagenet", required=True)
    args = parser.parse_args()
    experiment = Experiment(args.imagenet, "cuda" if torch.cuda.is_available() else "cpu")
    experiment.pretrain()
    print(f"top-1 on ILSVRC-2012 validation: {experiment.evaluate():.4f}")


if __name__ == "__main__":
    main()
