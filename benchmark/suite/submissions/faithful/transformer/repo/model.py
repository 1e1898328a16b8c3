import math

import torch
from torch import nn
from torch.nn import functional as F


class Attention(nn.Module):
    def __init__(self, d_model, heads):
        super().__init__()
        self.heads, self.d_k = heads, d_model // heads
        self.q = nn.Linear(d_model, d_model)
        self.k = nn.Linear(d_model, d_model)
        self.v = nn.Linear(d_model, d_model)
        self.o = nn.Linear(d_model, d_model)

    def split(self, x):
        b, n, _ = x.shape
        return x.view(b, n, self.heads, self.d_k).transpose(1, 2)

    def forward(self, query, memory, mask):
        q, k, v = self.split(self.q(query)), self.split(self.k(memory)), self.split(self.v(memory))
        scores = q @ k.transpose(-2, -1) / math.sqrt(self.d_k)
        scores = scores.masked_fill(~mask, float("-inf"))
        mixed = scores.softmax(dim=-1) @ v
        b, _, n, _ = mixed.shape
        return self.o(mixed.transpose(1, 2).reshape(b, n, -1))


class Residual(nn.Module):
    def __init__(self, d_model, dropout):
        super().__init__()
        self.norm = nn.LayerNorm(d_model)
        self.drop = nn.Dropout(dropout)

    def forward(self, x, y):
        return self.norm(x + self.drop(y))


def feed_forward(d_model, d_ff):
    return nn.Sequential(nn.Linear(d_model, d_ff), nn.ReLU(), nn.Linear(d_ff, d_model))


class EncoderLayer(nn.Module):
    def __init__(self, d_model, d_ff, heads, dropout):
        super().__init__()
        self.attn = Attention(d_model, heads)
        self.ff = feed_forward(d_model, d_ff)
        self.res = nn.ModuleList(Residual(d_model, dropout) for _ in range(2))

    def forward(self, x, mask):
        x = self.res[0](x, self.attn(x, x, mask))
        return self.res[1](x, self.ff(x))


class DecoderLayer(nn.Module):
    def __init__(self, d_model, d_ff, heads, dropout):
        super().__init__()
        self.own = Attention(d_model, heads)
        self.cross = Attention(d_model, heads)
        self.ff = feed_forward(d_model, d_ff)
        self.res = nn.ModuleList(Residual(d_model, dropout) for _ in range(3))

    def forward(self, x, memory, own_mask, memory_mask):
        x = self.res[0](x, self.own(x, x, own_mask))
        x = self.res[1](x, self.cross(x, memory, memory_mask))
        return self.res[2](x, self.ff(x))


def sinusoids(length, d_model):
    pos = torch.arange(length, dtype=torch.float).unsqueeze(1)
    freq = torch.exp(torch.arange(0, d_model, 2).float() * (-math.log(10000.0) / d_model))
    table = torch.zeros(length, d_model)
    table[:, 0::2] = torch.sin(pos * freq)
    table[:, 1::2] = torch.cos(pos * freq)
    return table


class Transformer(nn.Module):
    def __init__(self, vocab, layers, d_model, d_ff, heads, dropout, pad=0, longest=1024):
        super().__init__()
        self.pad, self.d_model = pad, d_model
        self.embed = nn.Embedding(vocab, d_model)
        nn.init.normal_(self.embed.weight, std=d_model**-0.5)
        self.register_buffer("positions", sinusoids(longest, d_model))
        self.drop = nn.Dropout(dropout)
        size = (d_model, d_ff, heads, dropout)
        self.encoder = nn.ModuleList(EncoderLayer(*size) for _ in range(layers))
        self.decoder = nn.ModuleList(DecoderLayer(*size) for _ in range(layers))

    def lookup(self, ids):
        x = self.embed(ids) * math.sqrt(self.d_model)
        return self.drop(x + self.positions[: ids.size(1)])

    def encode(self, src):
        mask = (src != self.pad)[:, None, None, :]
        x = self.lookup(src)
        for layer in self.encoder:
            x = layer(x, mask)
        return x, mask

    def decode(self, tgt, memory, memory_mask):
        n = tgt.size(1)
        causal = torch.ones(n, n, dtype=torch.bool, device=tgt.device).tril()
        x = self.lookup(tgt)
        for layer in self.decoder:
            x = layer(x, memory, causal, memory_mask)
        return F.linear(x, self.embed.weight)

    def forward(self, src, tgt):
        return self.decode(tgt, *self.encode(src))
