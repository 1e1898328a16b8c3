"""Choice of hyperparameters, and the nested estimate of what the choice is worth."""
import numpy as np

from estimate import fold_hits, splitter
from models import build


def choose(learner, candidates, X, y, k, seed):
    """One-standard-error rule over candidates that are ordered from simple to complex."""
    means, errors = [], []
    for params in candidates:
        folds = [h.mean() for h in fold_hits(lambda: build(learner, seed, **params), X, y, k, seed)]
        means.append(np.mean(folds))
        errors.append(np.std(folds, ddof=1) / np.sqrt(len(folds)))
    best = int(np.argmax(means))
    threshold = means[best] - errors[best]
    return next(c for c, m in zip(candidates, means) if m >= threshold)


def nested(learner, candidates, X, y, outer, inner, seed):
    """Outer accuracy, and the final model fitted on all data."""
    correct, picks = 0, []
    for train, test in splitter(outer, seed).split(X, y):
        X_train, y_train = X.iloc[train].reset_index(drop=True), y[train]
        params = choose(learner, candidates, X_train, y_train, inner, seed)
        model = build(learner, seed, **params).fit(X_train, y_train)
        correct += int((model.predict(X.iloc[test]) == y[test]).sum())
        picks.append(params)
    params = choose(learner, candidates, X, y, inner, seed)
    final = build(learner, seed, **params).fit(X, y)
    return {"accuracy": correct / len(y), "picks": picks, "final_params": params}, final
