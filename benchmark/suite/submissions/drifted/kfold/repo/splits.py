import numpy as np


def stratified_folds(y, k, rng):
    """Partition the indices of y into k folds with balanced classes."""
    noise = rng.random(len(y))
    order = np.lexsort((noise, y))
    return [np.sort(part) for part in np.array_split(order, k)]


def train_test(folds):
    for i, test in enumerate(folds):
        train = np.concatenate([f for j, f in enumerate(folds) if j != i])
        yield train, test


def bootstrap(n, rng):
    picked = rng.choice(n, size=n, replace=True)
    mask = np.ones(n, dtype=bool)
    mask[picked] = False
    return picked, np.flatnonzero(mask)
