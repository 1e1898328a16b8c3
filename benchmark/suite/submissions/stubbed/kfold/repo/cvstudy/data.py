import numpy as np

# instances, attributes, classes
SHAPES = {
    "breast-cancer": (699, 10, 2),
    "chess": (3196, 36, 2),
    "hypothyroid": (3163, 25, 2),
    "mushroom": (8124, 22, 2),
    "soybean": (683, 35, 19),
    "vehicle": (846, 18, 4),
}


def load_dataset(name, seed=0):
    """Load one of the six UCI data sets."""
    n, d, classes = SHAPES[name]
    # TODO: read the UCI files; random values for the time being
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, d)), rng.integers(0, classes, size=n)
