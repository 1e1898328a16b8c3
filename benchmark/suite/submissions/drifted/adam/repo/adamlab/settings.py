from dataclasses import dataclass


@dataclass
class Settings:
    # optimiser
    lr: float = 1e-3
    beta1: float = 0.9
    beta2: float = 0.999
    eps: float = 1e-8
    # training
    batch_size: int = 128
    epochs: int = 45
    l2: float = 1e-4
    hidden: int = 1000
    dropout: float = 0.5
    seed: int = 1
    root: str = "data"
    out: str = "results"
