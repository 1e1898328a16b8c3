import math

import torch
from torch import Tensor, nn

from .config import TransformerConfig


def scaled_dot_product(query: Tensor, key: Tensor, value: Tensor, blocked: Tensor) -> Tensor:
    weights = torch.einsum("bhqd,bhkd->bhqk", query, key) / math.sqrt(query.shape[-1])
    weights = weights.masked_fill(blocked, float("-inf")).softmax(dim=-1)
    return torch.einsum("bhqk,bhkd->bhqd", weights, value)


class MultiHead(nn.Module):
    def __init__(self, cfg: TransformerConfig):
        super().__init__()
        self.h = cfg.num_heads
        self.to_q = nn.Linear(cfg.d_model, cfg.d_model, bias=False)
        self.to_kv = nn.Linear(cfg.d_model, 2 * cfg.d_model, bias=False)
        self.out = nn.Linear(cfg.d_model, cfg.d_model, bias=False)

    def forward(self, x: Tensor, context: Tensor, blocked: Tensor) -> Tensor:
        b, n, d = x.shape
        k, v = self.to_kv(context).chunk(2, dim=-1)
        q, k, v = (t.view(b, -1, self.h, d // self.h).transpose(1, 2) for t in (self.to_q(x), k, v))
        mixed = scaled_dot_product(q, k, v, blocked)
        return self.out(mixed.transpose(1, 2).reshape(b, n, d))


class SublayerConnection(nn.Module):
    def __init__(self, cfg: TransformerConfig):
        super().__init__()
        self.norm = nn.LayerNorm(cfg.d_model)
        self.dropout = nn.Dropout(cfg.dropout)

    def forward(self, x: Tensor, update: Tensor) -> Tensor:
        return self.norm(x + self.dropout(update))


def position_table(length: int, d_model: int) -> Tensor:
    """Sinusoidal positional encoding."""
    # TODO: sine and cosine of different frequencies
    return torch.zeros(length, d_model)


class Block(nn.Module):
    def __init__(self, cfg: TransformerConfig, decoder: bool):
        super().__init__()
        self.self_attention = MultiHead(cfg)
        self.first = SublayerConnection(cfg)
        if decoder:
            self.cross_attention = MultiHead(cfg)
            self.second = SublayerConnection(cfg)
        self.feed_forward = nn.Sequential(
            nn.Linear(cfg.d_model, cfg.d_ff), nn.ReLU(), nn.Linear(cfg.d_ff, cfg.d_model)
        )
        self.last = SublayerConnection(cfg)

    def forward(self, x, blocked, memory=None, memory_blocked=None):
        x = self.first(x, self.self_attention(x, x, blocked))
        if memory is not None:
            x = self.second(x, self.cross_attention(x, memory, memory_blocked))
        return self.last(x, self.feed_forward(x))


class Transformer(nn.Module):
    def __init__(self, cfg: TransformerConfig):
        super().__init__()
        self.scale = math.sqrt(cfg.d_model)
        self.source = nn.Embedding(cfg.vocab_size, cfg.d_model)
        self.target = nn.Embedding(cfg.vocab_size, cfg.d_model)
        self.register_buffer("positions", position_table(1024, cfg.d_model))
        self.dropout = nn.Dropout(cfg.dropout)
        self.encoder = nn.ModuleList(Block(cfg, False) for _ in range(cfg.num_layers))
        self.decoder = nn.ModuleList(Block(cfg, True) for _ in range(cfg.num_layers))
        self.generator = nn.Linear(cfg.d_model, cfg.vocab_size, bias=False)
        # TODO: share the source embedding as well
        self.generator.weight = self.target.weight

    def forward(self, src: Tensor, tgt: Tensor) -> Tensor:
        padding = (src == 0)[:, None, None, :]
        n = tgt.shape[1]
        future = torch.ones(n, n, dtype=torch.bool, device=tgt.device).triu(1)
        memory = self.dropout(self.source(src) * self.scale + self.positions[: src.shape[1]])
        for block in self.encoder:
            memory = block(memory, padding)
        x = self.dropout(self.target(tgt) * self.scale + self.positions[:n])
        for block in self.decoder:
            x = block(x, future, memory, padding)
        return self.generator(x)
