import numpy as np
import yaml

from experiments import (
    choose_architecture,
    compare_regularizers,
    error_rate,
    fit,
    monte_carlo_curve,
)
from mnist import load_mnist, split


def main():
    with open("config.yaml") as f:
        cfg = yaml.safe_load(f)
    rng = np.random.default_rng(0)
    full, test = load_mnist()
    train, validation = split(*full, cfg["validation_size"], rng)

    sizes = choose_architecture(train, validation, cfg, rng)
    x = np.concatenate([train[0], validation[0]])
    y = np.concatenate([train[1], validation[1]])
    net = fit(sizes, (x, y), cfg, rng)
    print(f"architecture {sizes}: test error {error_rate(net, test):.2f} %")

    for k, error in monte_carlo_curve(net, test).items():
        print(f"k = {k}: {error:.2f} %")
    for name, error in compare_regularizers().items():
        print(f"{name}: {error:.2f} %")


if __name__ == "__main__":
    main()
