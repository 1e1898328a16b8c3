from sklearn.datasets import fetch_openml
from sklearn.preprocessing import LabelEncoder


def load(name):
    """Return a frame of features and an integer vector of classes."""
    bunch = fetch_openml(name, version=1, as_frame=True)
    return bunch.data.reset_index(drop=True), LabelEncoder().fit_transform(bunch.target)
