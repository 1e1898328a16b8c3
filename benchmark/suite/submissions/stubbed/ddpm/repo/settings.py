from dataclasses import dataclass


@dataclass
class Settings:
    # diffusion
    num_timesteps: int = 1000
    beta_min: float = 1e-4
    beta_max: float = 0.02

    # network
    hidden: int = 128
    dropout: float = 0.1

    # optimisation
    learning_rate: float = 2e-4
    batch_size: int = 128
    total_steps: int = 800_000
    ema_decay: float = 0.9999

    # evaluation
    num_eval_samples: int = 50_000
    device: str = "cpu"
