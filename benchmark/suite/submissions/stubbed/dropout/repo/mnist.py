import numpy as np


def load_mnist(seed=0):
    """60,000 training and 10,000 test images, flattened to 784 values in [0, 1]."""
    rng = np.random.default_rng(seed)
    x_train = rng.random((60000, 784), dtype=np.float32)
    y_train = rng.integers(0, 10, 60000)
    x_test = rng.random((10000, 784), dtype=np.float32)
    y_test = rng.integers(0, 10, 10000)
    return (x_train, y_train), (x_test, y_test)


def split(x, y, validation_size, rng):
    order = rng.permutation(len(x))
    val, train = order[:validation_size], order[validation_size:]
    return (x[train], y[train]), (x[val], y[val])
