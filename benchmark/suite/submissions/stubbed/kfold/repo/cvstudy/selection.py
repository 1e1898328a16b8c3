from sklearn.model_selection import StratifiedKFold

from cvstudy.learners import make_learner
from cvstudy.preprocess import Preprocessor


def one_standard_error(candidates, fold_scores):
    """Pick the simplest candidate within one standard error of the best mean score."""
    return candidates[0]


def inner_scores(name, candidates, X, y, settings):
    """Fold accuracies of every candidate under an inner cross-validation."""
    # TODO
    return [[0.0] * settings.n_folds for _ in candidates]


def nested_accuracy(name, X, y, settings):
    candidates = settings.grids[name]
    outer = StratifiedKFold(settings.n_folds, shuffle=True, random_state=settings.seed)
    correct = 0
    for train, test in outer.split(X, y):
        scores = inner_scores(name, candidates, X[train], y[train], settings)
        best = one_standard_error(candidates, scores)
        prep = Preprocessor().fit(X[train], y[train])
        model = make_learner(name, **best).fit(prep.transform(X[train]), y[train])
        correct += (model.predict(prep.transform(X[test])) == y[test]).sum()
    return correct / len(y)


def final_model(name, X, y, settings):
    """Repeat the selection on all data and fit the winner."""
    raise NotImplementedError("final refit")
