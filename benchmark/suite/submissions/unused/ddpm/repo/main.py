import os
import sys

import torch
from omegaconf import OmegaConf
from torch.utils.data import DataLoader
from torchvision import datasets, transforms
from torchvision.utils import save_image

from ddpm.core import DDPM
from ddpm.ema import ExponentialMovingAverage
from ddpm.unet import UNet


def cifar(cfg, train):
    ops = [transforms.ToTensor(), transforms.Normalize((0.5, 0.5, 0.5), (0.5, 0.5, 0.5))]
    if train:
        ops.insert(0, transforms.RandomHorizontalFlip())
    dataset = datasets.CIFAR10(
        cfg.data.root, train=train, download=True, transform=transforms.Compose(ops)
    )
    return DataLoader(
        dataset, cfg.data.batch_size, shuffle=train, drop_last=train,
        num_workers=cfg.data.num_workers,
    )


@torch.no_grad()
def held_out_loss(ddpm, net, loader, device):
    net.eval()
    losses = [ddpm.loss(net, x.to(device)).item() for x, _ in loader]
    net.train()
    return sum(losses) / len(losses)


def main():
    cfg = OmegaConf.merge(OmegaConf.load("conf/base.yaml"), OmegaConf.from_cli(sys.argv[1:]))
    torch.manual_seed(cfg.seed)
    os.makedirs(cfg.workdir, exist_ok=True)
    device = "cuda" if torch.cuda.is_available() else "cpu"

    train_loader, test_loader = cifar(cfg, True), cifar(cfg, False)
    net = UNet(cfg.model.base, tuple(cfg.model.multipliers), cfg.model.res_blocks).to(device)
    ddpm = DDPM(cfg.schedule.steps)
    optimizer = torch.optim.Adam(net.parameters(), lr=cfg.optim.lr)

    step = 0
    while step < cfg.optim.max_steps:
        for x, _ in train_loader:
            loss = ddpm.loss(net, x.to(device))
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(net.parameters(), cfg.optim.grad_clip)
            optimizer.step()
            step += 1
            if step % cfg.sampling.every == 0:
                grid = ddpm.fast_sampler(net, (cfg.sampling.count, 3, 32, 32), device)
                save_image(grid, f"{cfg.workdir}/samples_{step:07d}.png", nrow=8)
                print(step, "test loss", held_out_loss(ddpm, net, test_loader, device))
                torch.save(net.state_dict(), f"{cfg.workdir}/net.pt")
            if step >= cfg.optim.max_steps:
                break


if __name__ == "__main__":
    main()
