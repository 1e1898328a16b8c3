from dataclasses import dataclass


@dataclass
class Pretraining:
    epochs: int = 100
    batch_size: int = 4096
    learning_rate: float = 3e-4
    weight_decay: float = 1e-6
    warmup_epochs: int = 10
    temperature: float = 0.1
    embedding: int = 128
    jitter: float = 1.0
    image_size: int = 224
    workers: int = 16


@dataclass
class Probe:
    epochs: int = 90
    batch_size: int = 4096
    learning_rate: float = 1.6
    neighbours: int = 200
