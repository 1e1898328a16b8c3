from sklearn.feature_selection import SelectKBest, mutual_info_classif
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier

BASE = {
    "tree": lambda: DecisionTreeClassifier(criterion="entropy", random_state=0),
    "bayes": lambda: GaussianNB(),
}


def plain(kind):
    return Pipeline([("learner", BASE[kind]())])


def full(kind, n_features):
    """Learner behind imputation, scaling and feature screening, all fitted with the learner."""
    return Pipeline(
        [
            ("impute", SimpleImputer(strategy="median")),
            ("scale", StandardScaler()),
            ("screen", SelectKBest(mutual_info_classif, k=n_features)),
            ("learner", BASE[kind]()),
        ]
    )
