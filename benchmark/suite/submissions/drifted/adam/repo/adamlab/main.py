import argparse
import itertools
import json
from dataclasses import fields
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.utils.data import DataLoader
from torchvision import datasets, transforms

from .networks import AutoEncoder, LogisticRegression, TwoLayerNet
from .optimizers import AdamOptimizer, make_optimizer
from .settings import Settings

COMPARED = {
    "logreg": ["adam", "nesterov", "adagrad"],
    "mlp": ["adam", "adamax", "adagrad", "rmsprop", "nesterov", "adadelta"],
}


def loaders(s):
    tf = transforms.ToTensor()
    train = datasets.MNIST(s.root, train=True, download=True, transform=tf)
    test = datasets.MNIST(s.root, train=False, download=True, transform=tf)
    return (
        DataLoader(train, batch_size=s.batch_size, shuffle=True),
        DataLoader(test, batch_size=1000),
    )


def get_lr(opt):
    return opt.param_groups[0]["lr"] if hasattr(opt, "param_groups") else opt.lr


def set_lr(opt, lr):
    if hasattr(opt, "param_groups"):
        opt.param_groups[0]["lr"] = lr
    else:
        opt.lr = lr


@torch.no_grad()
def accuracy(net, loader):
    net.eval()
    hits = sum((net(x).argmax(1) == y).sum().item() for x, y in loader)
    return hits / len(loader.dataset)


def run_classifier(kind, s):
    train, test = loaders(s)
    results = {}
    for name in COMPARED[kind]:
        net = LogisticRegression() if kind == "logreg" else TwoLayerNet(s.hidden, s.dropout)
        opt = make_optimizer(name, net.parameters(), s)
        lr0 = get_lr(opt)
        t, scores, losses = 0, [], []
        for _ in range(s.epochs):
            net.train()
            running = 0.0
            for x, y in train:
                t += 1
                if kind == "logreg":
                    set_lr(opt, lr0 / t**0.5)
                loss = F.cross_entropy(net(x), y)
                if kind == "logreg":
                    loss = loss + s.l2 * net.linear.weight.pow(2).sum()
                opt.zero_grad()
                loss.backward()
                opt.step()
                running += loss.item()
            losses.append(running / len(train))
            scores.append(accuracy(net, test))
        results[name] = scores if kind == "logreg" else losses
        print(f"{kind:7s} {name:9s} {results[name][-1]:.4f}")
    return results


def vae_loss_after(train, epochs, **hyper):
    net = AutoEncoder()
    opt = AdamOptimizer(net.parameters(), **hyper)
    history = []
    for _ in range(epochs):
        for x, _ in train:
            loss = net(x)
            opt.zero_grad()
            loss.backward()
            opt.step()
        history.append(loss.item())
    return history


def run_bias_study(s):
    train, _ = loaders(s)
    table = {}
    for corrected in (True, False):
        h = vae_loss_after(train, 50, lr=s.lr, bias_correction=corrected)
        table[f"correction={corrected}"] = {"10": h[9], "50": h[49]}
    grid = itertools.product([0.0, 0.9], [0.99, 0.999, 0.9999], range(-5, 0))
    for b1, b2, e in grid:
        h = vae_loss_after(train, 10, lr=10.0**e, beta1=b1, beta2=b2)
        table[f"b1={b1},b2={b2},lr=1e{e}"] = {"10": h[-1]}
    return table


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("experiment", choices=["logreg", "mlp", "vae"])
    for f in fields(Settings):
        parser.add_argument("--" + f.name.replace("_", "-"), type=f.type, default=f.default)
    args = vars(parser.parse_args())
    kind = args.pop("experiment")
    s = Settings(**args)
    torch.manual_seed(s.seed)
    result = run_bias_study(s) if kind == "vae" else run_classifier(kind, s)
    out = Path(s.out)
    out.mkdir(parents=True, exist_ok=True)
    (out / f"{kind}.json").write_text(json.dumps(result))


if __name__ == "__main__":
    main()
