class Preprocessor:
    """Imputation, standardisation and feature selection, fitted on training data only."""

    def fit(self, X, y):
        self.mean_ = X.mean(axis=0)
        self.scale_ = X.std(axis=0) + 1e-12
        self._fit_imputer(X)
        self._fit_selector(X, y)
        return self

    def _fit_imputer(self, X):
        pass

    def _fit_selector(self, X, y):
        pass

    def transform(self, X):
        return (X - self.mean_) / self.scale_
