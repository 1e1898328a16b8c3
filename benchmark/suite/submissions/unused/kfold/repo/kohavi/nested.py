import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold


def one_standard_error(cv_results):
    """Index of the simplest setting whose mean is within one standard error of the best.

    Grids are written from the simplest setting to the most complex one. Usable as `refit`.
    """
    n = sum(key.startswith("split") and key.endswith("_test_score") for key in cv_results)
    rows = np.array([cv_results[f"split{i}_test_score"] for i in range(n)])
    mean, error = rows.mean(axis=0), rows.std(axis=0, ddof=1) / np.sqrt(n)
    best = mean.argmax()
    return int(np.flatnonzero(mean >= mean[best] - error[best])[0])


def nested_cv(model, grid, X, y, outer_folds, inner_folds, seed):
    """Accuracy of the whole selection procedure, and the model that it yields on all data."""
    inner = StratifiedKFold(inner_folds, shuffle=True, random_state=seed)
    outer = StratifiedKFold(outer_folds, shuffle=True, random_state=seed + 1)
    search = GridSearchCV(model, grid, cv=inner, refit=one_standard_error)
    correct = 0
    for train, test in outer.split(X, y):
        chosen = clone(search).fit(X[train], y[train])
        correct += (chosen.predict(X[test]) == y[test]).sum()
    return correct / len(y), clone(search).fit(X, y).best_estimator_
