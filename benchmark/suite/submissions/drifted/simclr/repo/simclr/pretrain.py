import torch
from torch import distributed as dist
from torch.nn.parallel import DistributedDataParallel as DDP
from torch.utils.data import DataLoader
from torch.utils.data.distributed import DistributedSampler
from torchvision.datasets import ImageFolder

from simclr.losses import NTXent
from simclr.net import ContrastiveNet
from simclr.optim import LARS, schedule
from simclr.views import PairTransform


def pretrain(cfg, rank):
    opts = cfg["pretrain"]
    world = dist.get_world_size()
    views = PairTransform(cfg["image_size"], **cfg["augment"])
    dataset = ImageFolder(f"{cfg['data']}/train", views)
    sampler = DistributedSampler(dataset)
    loader = DataLoader(
        dataset, opts["batch_size"] // world, sampler=sampler, num_workers=cfg["workers"],
        drop_last=True, pin_memory=True,
    )

    net = ContrastiveNet(**cfg["model"]).to(rank)
    ddp = DDP(net, device_ids=[rank])
    criterion = NTXent()
    lr = opts["base_lr"] * opts["batch_size"] / 256
    optimizer = LARS(ddp.parameters(), lr=lr, weight_decay=opts["weight_decay"])
    per_epoch = len(loader)
    scheduler = schedule(optimizer, opts["warmup_epochs"] * per_epoch, opts["epochs"] * per_epoch)

    for epoch in range(opts["epochs"]):
        sampler.set_epoch(epoch)
        for (a, b), _ in loader:
            a, b = a.to(rank, non_blocking=True), b.to(rank, non_blocking=True)
            z = ddp(torch.cat((a, b), dim=0))
            loss = criterion(*z.chunk(2, dim=0))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            scheduler.step()
        if rank == 0:
            print(f"[{epoch + 1}/{opts['epochs']}] loss {loss.item():.4f}")
    return net
