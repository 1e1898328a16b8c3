import os
import sys

import torch
import torch.distributed as dist
import yaml

from simclr.evaluate import linear_evaluation, semi_supervised
from simclr.pretrain import pretrain


def main():
    with open(sys.argv[1]) as f:
        cfg = yaml.safe_load(f)
    dist.init_process_group("nccl")
    rank = int(os.environ.get("LOCAL_RANK", 0))
    torch.cuda.set_device(rank)
    net = pretrain(cfg, rank)
    if rank == 0:
        torch.save(net.state_dict(), "simclr.pt")
        print(f"linear evaluation top-1 {linear_evaluation(cfg, net, rank):.4f}")
        print(f"semi-supervised top-1 {semi_supervised(cfg, net, rank):.4f}")


if __name__ == "__main__":
    main()
