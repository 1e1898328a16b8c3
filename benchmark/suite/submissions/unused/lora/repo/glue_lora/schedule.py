def linear_with_warmup(step: int, total: int, ratio: float = 0.06) -> float:
    """Multiplier of the learning rate: up during `ratio` of the steps, then down to zero."""
    warmup = max(1, int(ratio * total))
    if step < warmup:
        return step / warmup
    return max(0.0, (total - step) / max(1, total - warmup))
