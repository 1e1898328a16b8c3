from sklearn.compose import ColumnTransformer, make_column_selector
from sklearn.feature_selection import SelectPercentile, f_classif
from sklearn.impute import SimpleImputer
from sklearn.naive_bayes import GaussianNB
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler
from sklearn.tree import DecisionTreeClassifier


def preprocessing():
    numeric = make_pipeline(SimpleImputer(strategy="median"), StandardScaler())
    nominal = make_pipeline(
        SimpleImputer(strategy="most_frequent"),
        OneHotEncoder(handle_unknown="ignore", sparse_output=False),
    )
    return ColumnTransformer(
        [
            ("numeric", numeric, make_column_selector(dtype_include="number")),
            ("nominal", nominal, make_column_selector(dtype_exclude="number")),
        ]
    )


def build(learner, seed, **params):
    """A fresh pipeline; nothing in it has seen any data."""
    if learner == "tree":
        classifier = DecisionTreeClassifier(criterion="entropy", random_state=seed, **params)
    elif learner == "bayes":
        classifier = GaussianNB(**params)
    else:
        raise ValueError(f"unknown learner {learner!r}")
    return Pipeline(
        [
            ("prepare", preprocessing()),
            ("screen", SelectPercentile(f_classif, percentile=80)),
            ("classify", classifier),
        ]
    )
