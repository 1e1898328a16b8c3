import numpy as np

from learners import make
from splits import bootstrap, stratified_folds, train_test


def fold_accuracies(kind, params, X, y, k, rng):
    scores = []
    for train, test in train_test(stratified_folds(y, k, rng)):
        clf = make(kind, **params).fit(X[train], y[train])
        scores.append(np.mean(clf.predict(X[test]) == y[test]))
    return np.array(scores)


def cross_validate(kind, params, X, y, k, rng):
    return fold_accuracies(kind, params, X, y, k, rng).mean()


def repeated(kind, params, X, y, k, runs, seed):
    values = []
    for run in range(runs):
        rng = np.random.default_rng([seed, run])
        values.append(cross_validate(kind, params, X, y, k, rng))
    return np.mean(values)


def bootstrap_accuracy(kind, params, X, y, rounds, rng):
    """.632 bootstrap of Efron."""
    apparent = np.mean(make(kind, **params).fit(X, y).predict(X) == y)
    total = 0.0
    for _ in range(rounds):
        inside, outside = bootstrap(len(y), rng)
        clf = make(kind, **params).fit(X[inside], y[inside])
        e0 = np.mean(clf.predict(X[outside]) == y[outside])
        total += 0.368 * e0 + 0.632 * apparent
    return total / rounds
