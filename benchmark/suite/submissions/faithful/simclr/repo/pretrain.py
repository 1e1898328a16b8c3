import argparse
import math
import os

import torch
import torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DataLoader, DistributedSampler

from simclr.augment import TwoViews
from simclr.data import imagenet
from simclr.lars import LARS
from simclr.loss import nt_xent
from simclr.model import SimCLR


def rate(step, steps_per_epoch, args, peak):
    warm = args.warmup_epochs * steps_per_epoch
    if step < warm:
        return peak * (step + 1) / warm
    progress = (step - warm) / (args.epochs * steps_per_epoch - warm)
    return 0.5 * peak * (1 + math.cos(math.pi * progress))


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True)
    p.add_argument("--out", default="out")
    p.add_argument("--epochs", type=int, default=100)
    p.add_argument("--warmup-epochs", type=int, default=10)
    p.add_argument("--batch-size", type=int, default=4096, help="over all GPUs")
    p.add_argument("--base-lr", type=float, default=0.3)
    p.add_argument("--weight-decay", type=float, default=1e-6)
    p.add_argument("--temperature", type=float, default=0.1)
    p.add_argument("--dim", type=int, default=128)
    p.add_argument("--strength", type=float, default=1.0)
    args = p.parse_args()

    dist.init_process_group("nccl")
    gpu = int(os.environ["LOCAL_RANK"])
    torch.cuda.set_device(gpu)

    dataset = imagenet(args.data, "train", TwoViews(strength=args.strength))
    sampler = DistributedSampler(dataset, drop_last=True)
    loader = DataLoader(
        dataset, args.batch_size // dist.get_world_size(), sampler=sampler, drop_last=True,
        num_workers=8, pin_memory=True,
    )

    model = nn.SyncBatchNorm.convert_sync_batchnorm(SimCLR(args.dim)).cuda()
    model = DistributedDataParallel(model, device_ids=[gpu])
    peak = args.base_lr * args.batch_size / 256
    optimizer = LARS(model.parameters(), lr=peak, weight_decay=args.weight_decay)

    step = 0
    for epoch in range(args.epochs):
        sampler.set_epoch(epoch)
        for (x1, x2), _ in loader:
            for group in optimizer.param_groups:
                group["lr"] = rate(step, len(loader), args, peak)
            z1, z2 = model(torch.cat([x1, x2]).cuda(non_blocking=True)).chunk(2)
            loss = nt_xent(z1, z2, args.temperature)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
        if dist.get_rank() == 0:
            print(f"epoch {epoch}: loss {loss.item():.3f}", flush=True)
            os.makedirs(args.out, exist_ok=True)
            torch.save({"encoder": model.module.f.state_dict()}, f"{args.out}/pretrained.pt")


if __name__ == "__main__":
    main()
