from cvstudy.data import load_dataset
from cvstudy.estimators import bootstrap_632, repeated_ten_fold
from cvstudy.selection import nested_accuracy
from cvstudy.settings import Settings


def main():
    settings = Settings()
    print(f"{'data':<15}{'learner':<13}{'10-fold':>9}{'.632':>9}{'nested':>9}")
    for dataset in settings.datasets:
        X, y = load_dataset(dataset, settings.seed)
        for learner in settings.learners:
            row = (
                repeated_ten_fold(learner, {}, X, y, settings),
                bootstrap_632(learner, X, y, settings),
                nested_accuracy(learner, X, y, settings),
            )
            print(f"{dataset:<15}{learner:<13}" + "".join(f"{v:9.4f}" for v in row))


main()
