"""Encoder-decoder Transformer."""
import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class PositionalEncoding(nn.Module):
    def __init__(self, d_model, max_len=2048):
        super().__init__()
        position = torch.arange(max_len)[:, None].float()
        rate = torch.pow(10000.0, -torch.arange(0, d_model, 2).float() / d_model)
        pe = torch.empty(max_len, d_model)
        pe[:, 0::2] = torch.sin(position * rate)
        pe[:, 1::2] = torch.cos(position * rate)
        self.register_buffer("pe", pe)

    def forward(self, x):
        return x + self.pe[: x.size(1)]


class MultiHeadAttention(nn.Module):
    def __init__(self, d_model, n_heads):
        super().__init__()
        self.d_model = d_model
        self.n_heads = n_heads
        self.w_q = nn.Linear(d_model, d_model)
        self.w_k = nn.Linear(d_model, d_model)
        self.w_v = nn.Linear(d_model, d_model)
        self.w_o = nn.Linear(d_model, d_model)

    def forward(self, q, k, v, mask=None):
        def heads(t):
            return t.unflatten(-1, (self.n_heads, -1)).transpose(1, 2)

        q, k, v = heads(self.w_q(q)), heads(self.w_k(k)), heads(self.w_v(v))
        scores = torch.matmul(q, k.transpose(-1, -2)) / self.d_model**0.5
        if mask is not None:
            scores = scores.masked_fill(mask == 0, 1e-9)
        out = torch.matmul(F.softmax(scores, dim=-1), v)
        return self.w_o(out.transpose(1, 2).flatten(-2))


class AddNorm(nn.Module):
    """Residual connection, dropout and layer normalisation around a sub-layer."""

    def __init__(self, d_model, dropout):
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, sublayer):
        return x + self.dropout(sublayer(self.norm(x)))


class Layer(nn.Module):
    def __init__(self, d_model, d_ff, n_heads, dropout, cross=False):
        super().__init__()
        self.self_attn = MultiHeadAttention(d_model, n_heads)
        self.cross_attn = MultiHeadAttention(d_model, n_heads) if cross else None
        self.ffn = nn.Sequential(
            nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model)
        )
        self.wrap = nn.ModuleList([AddNorm(d_model, dropout) for _ in range(3 if cross else 2)])

    def forward(self, x, mask, memory=None, memory_mask=None):
        x = self.wrap[0](x, lambda h: self.self_attn(h, h, h, mask))
        if self.cross_attn is not None:
            x = self.wrap[1](x, lambda h: self.cross_attn(h, memory, memory, memory_mask))
        return self.wrap[-1](x, self.ffn)


class Transformer(nn.Module):
    def __init__(self, vocab_size, n_layers=6, d_model=512, d_ff=2048, n_heads=8, dropout=0.1):
        super().__init__()
        self.d_model = d_model
        self.embedding = nn.Embedding(vocab_size, d_model, padding_idx=0)
        self.position = PositionalEncoding(d_model)
        self.dropout = nn.Dropout(dropout)
        self.encoder = nn.ModuleList(
            [Layer(d_model, d_ff, n_heads, dropout) for _ in range(n_layers)]
        )
        self.decoder = nn.ModuleList(
            [Layer(d_model, d_ff, n_heads, dropout, cross=True) for _ in range(n_layers)]
        )
        self.enc_norm = nn.LayerNorm(d_model)
        self.dec_norm = nn.LayerNorm(d_model)
        self.project = nn.Linear(d_model, vocab_size, bias=False)
        self.project.weight = self.embedding.weight

    def embed(self, tokens):
        return self.dropout(self.position(self.embedding(tokens) * math.sqrt(self.d_model)))

    def encode(self, src):
        mask = (src != 0)[:, None, None]
        x = self.embed(src)
        for layer in self.encoder:
            x = layer(x, mask)
        return self.enc_norm(x), mask

    def decode(self, tgt, memory, memory_mask):
        size = tgt.size(1)
        subsequent = torch.tril(torch.ones(size, size, device=tgt.device))
        x = self.embed(tgt)
        for layer in self.decoder:
            x = layer(x, subsequent, memory, memory_mask)
        return self.project(self.dec_norm(x))

    def forward(self, src, tgt):
        memory, mask = self.encode(src)
        return self.decode(tgt, memory, mask)
