from sklearn.linear_model import LogisticRegression
from sklearn.tree import DecisionTreeClassifier

# candidates run from the simplest model to the most complex one
GRIDS = {
    "tree": [{"max_leaf_nodes": m} for m in (4, 8, 16, 32, 64)],
    "linear": [{"C": c} for c in (0.01, 0.1, 1.0, 10.0)],
}


def make(kind, **params):
    if kind == "tree":
        return DecisionTreeClassifier(random_state=0, **params)
    return LogisticRegression(max_iter=2000, **params)
