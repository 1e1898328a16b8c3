"""Accuracy estimates: k-fold, leave-one-out and .632 bootstrap."""
import numpy as np
from sklearn.model_selection import LeaveOneOut, StratifiedKFold


def splitter(k, seed):
    if k == "loo":
        return LeaveOneOut()
    return StratifiedKFold(n_splits=k, shuffle=True, random_state=seed)


def fold_hits(make, X, y, k, seed):
    """For every fold the 0/1 vector of correct classifications of its instances."""
    hits = []
    for train, test in splitter(k, seed).split(X, y):
        model = make().fit(X.iloc[train], y[train])
        hits.append(model.predict(X.iloc[test]) == y[test])
    return hits


def cv_accuracy(make, X, y, k, seed):
    return np.concatenate(fold_hits(make, X, y, k, seed)).sum() / len(y)


def repeated_cv_accuracy(make, X, y, k, repetitions, seed):
    runs = [cv_accuracy(make, X, y, k, seed + r) for r in range(repetitions)]
    return float(np.mean(runs)), float(np.std(runs, ddof=1))


def bootstrap_632(make, X, y, samples, seed):
    rng = np.random.default_rng(seed)
    n = len(y)
    resubstitution = np.mean(make().fit(X, y).predict(X) == y)
    parts = []
    for _ in range(samples):
        drawn = rng.integers(0, n, size=n)
        left = np.setdiff1d(np.arange(n), drawn)
        model = make().fit(X.iloc[drawn], y[drawn])
        outside = np.mean(model.predict(X.iloc[left]) == y[left])
        parts.append(0.632 * outside + 0.368 * resubstitution)
    return float(np.mean(parts))
