"""Compare optimisers on MNIST: logistic regression, then the multi-layer network."""

import json
import math

import torch
import torch.nn.functional as F
import yaml

from adam_repro.mnist import mnist_loader
from adam_repro.networks import logistic_regression, two_layer_network

with open("hparams.yaml") as handle:
    HPARAMS = yaml.safe_load(handle)

METHODS = {
    "sgd_nesterov": lambda params, lr: torch.optim.SGD(params, lr=lr, momentum=0.9, nesterov=True),
    "adagrad": lambda params, lr: torch.optim.Adagrad(params, lr=lr),
}


def train(build_model, method, loader, epochs, weight_decay=0.0, decay=False):
    torch.manual_seed(0)
    model = build_model()
    base_lr = HPARAMS["train"]["base_lr"]
    optimizer = METHODS[method](model.parameters(), base_lr)
    step, costs = 0, []
    for _ in range(epochs):
        total, seen = 0.0, 0
        for x, y in loader:
            step += 1
            if decay:
                for group in optimizer.param_groups:
                    group["lr"] = base_lr / math.sqrt(step)
            cost = F.cross_entropy(model(x), y)
            if weight_decay:
                cost = cost + 0.5 * weight_decay * sum((p**2).sum() for p in model.parameters())
            optimizer.zero_grad()
            cost.backward()
            optimizer.step()
            total += cost.item() * len(x)
            seen += len(x)
        costs.append(total / seen)
    return costs


def main():
    cfg = HPARAMS["train"]
    loader = mnist_loader(cfg["minibatch"])
    results = {"logreg": {}, "mlp": {}}
    for method in METHODS:
        results["logreg"][method] = train(
            logistic_regression, method, loader, cfg["logreg_epochs"],
            weight_decay=cfg["weight_decay"], decay=True,
        )
        results["mlp"][method] = train(two_layer_network, method, loader, cfg["mlp_epochs"])
        for task, curves in results.items():
            print(f"{task:7s} {method:13s} final cost {curves[method][-1]:.4f}")
    with open("results.json", "w") as handle:
        json.dump(results, handle)


if __name__ == "__main__":
    main()
