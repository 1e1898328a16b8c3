import numpy as np

from learners import GRIDS, make
from scoring import fold_accuracies
from splits import stratified_folds, train_test


def one_se(kind, X, y, k, rng):
    """Simplest candidate within one standard error of the best."""
    table = [fold_accuracies(kind, params, X, y, k, rng) for params in GRIDS[kind]]
    mean = np.array([row.mean() for row in table])
    top = mean.argmax()
    se = table[top].std(ddof=1) / k**0.5
    first = np.flatnonzero(mean >= mean[top] - se)[0]
    return GRIDS[kind][first]


def nested_selection(kind, X, y, k_outer, k_inner, seed):
    """Select hyperparameters with an inner loop, assess them with an outer loop."""
    rng = np.random.default_rng(seed)
    params = one_se(kind, X, y, k_inner, rng)
    right = 0
    for train, test in train_test(stratified_folds(y, k_outer, rng)):
        clf = make(kind, **params).fit(X[train], y[train])
        right += np.sum(clf.predict(X[test]) == y[test])
    final = make(kind, **params).fit(X, y)
    return final, params, right / len(y)
