from dataclasses import dataclass


@dataclass(frozen=True)
class Task:
    name: str
    columns: tuple
    labels: int
    metric: str
    batch_size: int
    epochs: int
    lr: float
    from_mnli: bool = False
    validation: str = "validation"


TASKS = {
    t.name: t
    for t in [
        Task("mnli", ("premise", "hypothesis"), 3, "accuracy", 16, 30, 5e-4,
             validation="validation_matched"),
        Task("mrpc", ("sentence1", "sentence2"), 2, "accuracy", 16, 30, 4e-4, True),
        Task("cola", ("sentence",), 2, "matthews", 32, 80, 4e-4),
        Task("rte", ("sentence1", "sentence2"), 2, "accuracy", 32, 80, 5e-4, True),
        Task("stsb", ("sentence1", "sentence2"), 1, "pearson", 16, 40, 4e-4, True),
    ]
}
