from dataclasses import dataclass, field


@dataclass(frozen=True)
class Settings:
    n_folds: int = 10
    n_repeats: int = 10
    n_bootstrap: int = 50
    seed: int = 42
    datasets: tuple = ("breast-cancer", "chess", "hypothyroid", "mushroom", "soybean", "vehicle")
    learners: tuple = ("c45", "naive-bayes")
    grids: dict = field(
        default_factory=lambda: {
            "c45": [{"min_leaf": 20}, {"min_leaf": 5}, {"min_leaf": 2}],
            "naive-bayes": [{"var_smoothing": 1e-2}, {"var_smoothing": 1e-9}],
        }
    )
