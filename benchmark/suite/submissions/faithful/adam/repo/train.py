"""Entry point: python train.py --experiment {logreg,mlp,vae}."""

import argparse
import copy
import itertools
import json
import math
import os

import torch
import yaml
from torch.nn import functional as F

import models
from data import batches, mnist
from optim import Adam, build


def fit(model, name, factor, x, y, spec, epochs, cfg):
    """Train a copy of `model`; returns the mean training cost of every epoch."""
    model = copy.deepcopy(model)
    opt = build(name, model.parameters(), cfg, factor)
    base = [g["lr"] for g in opt.param_groups]
    gen = torch.Generator().manual_seed(cfg["seed"])
    curve, t = [], 0
    for _ in range(epochs):
        total = 0.0
        for xb, yb in batches(x, y, spec["batch_size"], gen):
            t += 1
            if spec["inv_sqrt_lr"]:
                for group, lr0 in zip(opt.param_groups, base):
                    group["lr"] = lr0 / math.sqrt(t)
            cost = F.cross_entropy(model(xb), yb)
            if spec["l2"]:
                cost = cost + spec["l2"] * sum(p.pow(2).sum() for p in model.parameters())
            opt.zero_grad()
            cost.backward()
            opt.step()
            total += cost.item() * len(xb)
        curve.append(total / len(x))
    return curve


def compare(model, spec, cfg):
    x, y = mnist(cfg["data_dir"])
    out = {}
    for name in spec["optimizers"]:
        # short runs over the grid, then the full run with the winner
        short = {
            k: fit(model, name, k, x, y, spec, cfg["search"]["epochs"], cfg)[-1]
            for k in cfg["search"]["lr_factor"]
        }
        best = min(short, key=lambda k: short[k] if math.isfinite(short[k]) else math.inf)
        curve = fit(model, name, best, x, y, spec, spec["epochs"], cfg)
        out[name] = {"lr_factor": best, "cost": curve}
        print(name, best, out[name]["cost"][-1])
    return out


def bias_study(cfg):
    spec = cfg["vae"]
    x, y = mnist(cfg["data_dir"])
    start = models.VAE()
    rows = []
    for b1, b2, e in itertools.product(spec["beta1"], spec["beta2"], spec["log10_lr"]):
        for corrected in (True, False):
            net = copy.deepcopy(start)
            opt = Adam(net.parameters(), lr=10.0**e, beta1=b1, beta2=b2, correct_bias=corrected)
            gen = torch.Generator().manual_seed(cfg["seed"])
            losses = {}
            for epoch in range(1, max(spec["report_at"]) + 1):
                total = 0.0
                for xb, _ in batches(x, y, spec["batch_size"], gen):
                    loss = net.loss(xb)
                    opt.zero_grad()
                    loss.backward()
                    opt.step()
                    total += loss.item() * len(xb)
                if epoch in spec["report_at"]:
                    losses[epoch] = total / len(x)
            rows.append(dict(beta1=b1, beta2=b2, log10_lr=e, corrected=corrected, loss=losses))
    return rows


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--experiment", choices=["logreg", "mlp", "vae"], default="logreg")
    ap.add_argument("--config", default="config.yaml")
    args = ap.parse_args()
    with open(args.config) as f:
        cfg = yaml.safe_load(f)
    torch.manual_seed(cfg["seed"])

    if args.experiment == "logreg":
        result = compare(models.softmax_regression(), cfg["logreg"], cfg)
    elif args.experiment == "mlp":
        net = models.mlp(cfg["mlp"]["hidden"], cfg["mlp"]["dropout"])
        result = compare(net, cfg["mlp"], cfg)
    else:
        result = bias_study(cfg)

    os.makedirs("out", exist_ok=True)
    with open(f"out/{args.experiment}.json", "w") as f:
        json.dump(result, f, indent=2)


if __name__ == "__main__":
    main()
