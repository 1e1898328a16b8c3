#!/usr/bin/env python
import argparse

import numpy as np

from datasets import LOADERS, load
from learners import GRIDS
from scoring import bootstrap_accuracy, cross_validate, repeated
from selection import nested_selection


def arguments():
    p = argparse.ArgumentParser()
    p.add_argument("--dataset", default="all", choices=[*LOADERS, "all"])
    p.add_argument("--k", type=int, default=10)
    p.add_argument("--runs", type=int, default=10)
    p.add_argument("--k-inner", type=int, default=10)
    p.add_argument("--k-grid", type=int, nargs="+", default=[2, 5, 10])
    p.add_argument("--rounds", type=int, default=50, help="bootstrap rounds")
    p.add_argument("--seed", type=int, default=7)
    return p.parse_args()


def main():
    args = arguments()
    names = list(LOADERS) if args.dataset == "all" else [args.dataset]
    for name in names:
        X, y = load(name)
        for kind in GRIDS:
            acc = repeated(kind, {}, X, y, args.k, args.runs, args.seed)
            print(f"{name:14s} {kind:7s} {args.runs}x{args.k}-fold accuracy {acc:.4f}")

            for k in args.k_grid:
                value = cross_validate(kind, {}, X, y, k, np.random.default_rng(args.seed))
                print(f"{'':22s} k={k:<3d} {value:.4f}")

            value = bootstrap_accuracy(
                kind, {}, X, y, args.rounds, np.random.default_rng(args.seed)
            )
            print(f"{'':22s} .632 bootstrap {value:.4f}")

            _, params, value = nested_selection(kind, X, y, args.k, args.k_inner, args.seed)
            print(f"{'':22s} selected {params}, nested accuracy {value:.4f}")


if __name__ == "__main__":
    main()
