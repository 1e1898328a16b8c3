from torch import nn


def logistic_regression() -> nn.Module:
    return nn.Linear(784, 10)


def two_layer_network(units: int = 800) -> nn.Module:
    return nn.Sequential(
        nn.Linear(784, units),
        nn.ReLU(),
        nn.Linear(units, units),
        nn.ReLU(),
        nn.Linear(units, 10),
    )


def two_layer_network_with_dropout(units: int = 1000, rate: float = 0.5) -> nn.Module:
    return nn.Sequential(
        nn.Linear(784, units),
        nn.ReLU(),
        nn.Dropout(rate),
        nn.Linear(units, units),
        nn.ReLU(),
        nn.Dropout(rate),
        nn.Linear(units, 10),
    )
