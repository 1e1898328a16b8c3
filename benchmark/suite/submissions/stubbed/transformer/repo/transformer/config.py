from dataclasses import dataclass


@dataclass
class TransformerConfig:
    vocab_size: int = 32000
    num_layers: int = 6
    d_model: int = 512
    d_ff: int = 2048
    num_heads: int = 8
    dropout: float = 0.1
    adam_beta1: float = 0.9
    adam_beta2: float = 0.98
    adam_eps: float = 1e-9
    max_steps: int = 100_000
    checkpoint_every: int = 2_000
