"""Transfer from MNLI and the study of the rank.

`fit(task, rank, start)` trains one model and returns (score, low-rank weights of its best epoch).
"""


def with_mnli_start(fit, rank: int = 8):
    _, best_mnli = fit("mnli", rank, None)
    return {task: fit(task, rank, best_mnli)[0] for task in ("mrpc", "rte", "stsb")}


def rank_study(fit, task: str = "mrpc"):
    return {rank: fit(task, rank, None)[0] for rank in (1, 2, 4, 8, 64)}
