import argparse
import itertools

import torch
from torchvision.datasets import MNIST

from dropmnist.learn import monte_carlo_error, test_error, train


def options():
    p = argparse.ArgumentParser(prog="dropmnist")
    p.add_argument("task", choices=["architectures", "regularizers", "montecarlo"])
    p.add_argument("--root", default="mnist")
    p.add_argument("--p-input", type=float, default=0.8)
    p.add_argument("--p-hidden", type=float, default=0.5)
    p.add_argument("--c", type=float, default=2.0, help="max-norm radius")
    p.add_argument("--lr", type=float, default=0.1)
    p.add_argument("--momentum", type=float, default=0.95)
    p.add_argument("--batch", type=int, default=100)
    p.add_argument("--updates", type=int, default=1_000_000)
    p.add_argument("--seed", type=int, default=1)
    return p.parse_args()


def tensors(root, train_split):
    device = "cuda" if torch.cuda.is_available() else "cpu"
    d = MNIST(root, train=train_split, download=True)
    return d.data.float().div(255).to(device), d.targets.to(device)


def architectures(args, fit, val):
    best = None
    for depth, width in itertools.product([2, 3, 4], [1024, 2048]):
        print(f"{depth} x {width}")
        model = train(args, [width] * depth, fit, args.p_input, args.p_hidden, args.c)
        err = test_error(model, val)
        print(f"  error {err:.2f} %")
        if best is None or err < best[0]:
            best = (err, depth, width)
    print("best: %.2f %% with %d layers of %d units" % best)


def regularizers(args, fit, test):
    widths = [1024, 1024, 2048]
    runs = {
        "none": dict(),
        "L2": dict(l2=1e-4),
        "dropout": dict(p_in=args.p_input, p_hid=args.p_hidden),
        "dropout + max-norm": dict(p_in=args.p_input, p_hid=args.p_hidden, c=args.c),
    }
    for name, kwargs in runs.items():
        print(f"{name}: {test_error(train(args, widths, fit, **kwargs), test):.2f} %")


def montecarlo(args, fit, test):
    model = train(args, [1024] * 3, fit, args.p_input, args.p_hidden, args.c)
    print(f"weight scaling {test_error(model, test):.2f} %")
    for k in (1, 10):
        print(f"k = {k}: {monte_carlo_error(model, test, k):.2f} %")


def main():
    args = options()
    train_set, val_set = tensors(args.root, True), tensors(args.root, False)
    globals()[args.task](args, train_set, val_set)


main()
