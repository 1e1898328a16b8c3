import argparse
import json

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from kohavi.learners import BASE, plain
from kohavi.tables import read


def fold_scores(model, X, y, k, seed):
    scores = []
    for train, test in StratifiedKFold(k, shuffle=True, random_state=seed).split(X, y):
        fitted = clone(model).fit(X[train], y[train])
        scores.append(fitted.score(X[test], y[test]))
    return np.array(scores)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", default="vehicle")
    parser.add_argument("--settings", default="settings.json")
    args = parser.parse_args()
    with open(args.settings) as handle:
        settings = json.load(handle)

    X, y = read(args.data)
    report = {"data": args.data, "instances": len(y)}
    for kind in BASE:
        scores = fold_scores(plain(kind), X, y, settings["k"], settings["seed"])
        search = GridSearchCV(
            plain(kind),
            settings["grids"][kind],
            cv=StratifiedKFold(settings["inner_folds"], shuffle=True, random_state=settings["seed"]),
        )
        search.fit(X, y)
        report[kind] = {
            "accuracy": scores.mean(),
            "sd": scores.std(ddof=1),
            "chosen": search.best_params_,
            "chosen_accuracy": search.best_score_,
        }
    print(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
