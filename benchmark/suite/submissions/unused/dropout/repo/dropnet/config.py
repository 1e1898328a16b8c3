from dataclasses import dataclass


@dataclass
class Config:
    p_input: float = 0.8
    p_hidden: float = 0.5
    max_norm: float = 2.0
    lr: float = 0.05
    momentum: float = 0.95
    updates: int = 1_000_000
    batch_size: int = 100
    n_validation: int = 10_000
    architectures: tuple = (
        (1024, 1024),
        (2048, 2048),
        (1024, 1024, 1024),
        (2048, 2048, 2048),
        (1024, 1024, 1024, 1024),
        (2048, 2048, 2048, 2048),
    )
