import sys
from dataclasses import replace

import torch

from digits import hold_out, load
from settings import ARCHITECTURES, Settings
from training import averaged_error, error_percent, fit

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def select():
    s = Settings()
    x, y = load(True, DEVICE)
    (x_fit, y_fit), (x_val, y_val) = hold_out(x, y, s.held_out, s.seed)
    scores = {}
    for hidden in ARCHITECTURES:
        for rate in (0.05, 0.1, 0.2):
            candidate = replace(s, hidden=hidden, learning_rate=rate)
            scores[candidate] = error_percent(fit(candidate, x_fit, y_fit), x_val, y_val)
            print(f"{hidden} lr {rate}: validation error {scores[candidate]:.2f} %")
    best = min(scores, key=scores.get)
    network = fit(best, torch.cat([x_fit, x_val]), torch.cat([y_fit, y_val]))
    print(f"{best.hidden}: test error {error_percent(network, *load(False, DEVICE)):.2f} %")


def regularizers():
    base = Settings(hidden=(1024, 1024, 2048), noise="none", max_norm=None)
    table = {
        "L2": replace(base, l2=1e-5),
        "L2 + L1": replace(base, l2=1e-5, l1=1e-6),
        "max-norm": replace(base, max_norm=2.0),
        "dropout + L2": replace(base, noise="bernoulli", l2=1e-5),
        "dropout + max-norm": replace(base, noise="bernoulli", max_norm=2.0),
    }
    train, test = load(True, DEVICE), load(False, DEVICE)
    for name, s in table.items():
        print(f"{name:<20} {error_percent(fit(s, *train), *test):.2f} %")


def averaging():
    network = fit(Settings(hidden=(1024,) * 3), *load(True, DEVICE))
    test = load(False, DEVICE)
    print(f"weight scaling: {error_percent(network, *test):.2f} %")
    for k in (1, 2, 5, 10, 20, 50, 100):
        print(f"{k} sampled networks: {averaged_error(network, *test, k):.2f} %")


def gaussian():
    network = fit(Settings(noise="gaussian"), *load(True, DEVICE))
    print(f"Gaussian noise: {error_percent(network, *load(False, DEVICE)):.2f} %")


if __name__ == "__main__":
    {f.__name__: f for f in (select, regularizers, averaging, gaussian)}[sys.argv[1]]()
