import argparse


def parser(description):
    p = argparse.ArgumentParser(description=description)
    p.add_argument("--out", default="exp/cifar10")
    p.add_argument("--data", default="data")
    # diffusion
    p.add_argument("--num-steps", type=int, default=1000)
    p.add_argument("--beta-first", type=float, default=1e-4)
    p.add_argument("--beta-last", type=float, default=0.02)
    # network
    p.add_argument("--ch", type=int, default=128)
    p.add_argument("--ch-mult", type=int, nargs="+", default=[1, 2, 2])
    p.add_argument("--depth", type=int, default=2, help="residual blocks per resolution")
    p.add_argument("--attn", type=int, nargs="*", default=[16], help="resolutions with attention")
    p.add_argument("--dropout", type=float, default=0.1)
    # optimisation
    p.add_argument("--lr", type=float, default=2e-4)
    p.add_argument("--batch-size", type=int, default=128)
    p.add_argument("--iterations", type=int, default=800_000)
    p.add_argument("--ema-decay", type=float, default=0.9999)
    p.add_argument("--grad-clip", type=float, default=1.0)
    p.add_argument("--workers", type=int, default=4)
    # sampling
    p.add_argument("--num-images", type=int, default=50_000)
    p.add_argument("--gen-batch", type=int, default=500)
    return p
