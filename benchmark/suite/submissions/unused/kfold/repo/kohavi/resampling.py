import numpy as np
from sklearn.base import clone
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold, cross_val_score


def held_out_accuracy(model, X, y, k, seed):
    """Correct classifications over all folds divided by the number of instances."""
    folds = StratifiedKFold(k, shuffle=True, random_state=seed)
    correct = 0
    for train, test in folds.split(X, y):
        correct += (clone(model).fit(X[train], y[train]).predict(X[test]) == y[test]).sum()
    return correct / len(y)


def ten_times_ten_fold(model, X, y, seed, k=10, repeats=10):
    """Mean accuracy over `repeats` independent partitions into k folds."""
    folds = RepeatedStratifiedKFold(n_splits=k, n_repeats=repeats, random_state=seed)
    return cross_val_score(model, X, y, cv=folds, scoring="accuracy").mean()


def bootstrap_632(model, X, y, samples, seed):
    rng = np.random.RandomState(seed)
    n = len(y)
    fitted = clone(model).fit(X, y)
    acc_s = np.mean(fitted.predict(X) == y)
    values = []
    for _ in range(samples):
        inside = rng.randint(0, n, n)
        outside = np.setdiff1d(np.arange(n), inside)
        fitted = clone(model).fit(X[inside], y[inside])
        e0 = np.mean(fitted.predict(X[outside]) == y[outside])
        values.append(0.632 * e0 + 0.368 * acc_s)
    return np.mean(values)
