from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Settings:
    hidden: tuple = (1024, 1024)
    keep_input: float = 0.8
    keep_hidden: float = 0.5
    noise: str = "bernoulli"  # bernoulli | gaussian | none

    max_norm: float | None = 2.0
    l2: float = 0.0
    l1: float = 0.0

    batch_size: int = 100
    updates: int = 1_000_000
    learning_rate: float = 0.1
    decay_after: int = 200_000
    momentum_start: float = 0.5
    momentum_final: float = 0.95
    momentum_ramp: int = 50_000

    held_out: int = 10_000
    seed: int = 0


ARCHITECTURES = [(width,) * depth for depth, width in product((2, 3, 4), (1024, 2048))]
