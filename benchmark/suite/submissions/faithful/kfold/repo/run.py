import json
import sys

import yaml

from data import load
from estimate import bootstrap_632, cv_accuracy, repeated_cv_accuracy
from models import build
from selection import nested


def study(cfg, learner, X, y):
    seed = cfg["seed"]

    def make():
        return build(learner, seed)

    mean, spread = repeated_cv_accuracy(make, X, y, cfg["folds"], cfg["repetitions"], seed)
    rules = cfg["selection"]
    report, _ = nested(learner, rules[learner], X, y, rules["outer"], rules["inner"], seed)
    return {
        "repeated_cv": {"mean": mean, "std": spread},
        "by_folds": {str(k): float(cv_accuracy(make, X, y, k, seed)) for k in cfg["folds_to_compare"]},
        "bootstrap_632": bootstrap_632(make, X, y, cfg["bootstrap_samples"], seed),
        "nested": report,
    }


def main():
    with open(sys.argv[1] if len(sys.argv) > 1 else "config.yaml") as f:
        cfg = yaml.safe_load(f)
    results = {}
    for name in cfg["datasets"]:
        X, y = load(name)
        results[name] = {learner: study(cfg, learner, X, y) for learner in cfg["learners"]}
        print(name, json.dumps(results[name]["tree"]["repeated_cv"]))
    with open(cfg["output"], "w") as f:
        json.dump(results, f, indent=2)


if __name__ == "__main__":
    main()
