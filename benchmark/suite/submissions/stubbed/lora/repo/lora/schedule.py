from torch.optim.lr_scheduler import LambdaLR


def warmup_linear(optimizer, total_steps: int, warmup_ratio: float = 0.06) -> LambdaLR:
    """Linear warm-up followed by linear decay."""
    # TODO: warm-up and decay
    return LambdaLR(optimizer, lambda step: 1.0)
