import math

import torch
from torch import nn

from layers import FeedForward, Heads


class Encoder(nn.Module):
    def __init__(self, width, inner, heads):
        super().__init__()
        self.mix = Heads(width, heads)
        self.ff = FeedForward(width, inner)

    def forward(self, x, pad):
        x = x + self.mix(x, x, pad)
        return x + self.ff(x)


class Decoder(nn.Module):
    def __init__(self, width, inner, heads):
        super().__init__()
        self.mix = Heads(width, heads)
        self.look = Heads(width, heads)
        self.ff = FeedForward(width, inner)

    def forward(self, x, memory, ahead, pad):
        x = x + self.mix(x, x, ahead)
        x = x + self.look(x, memory, pad)
        return x + self.ff(x)


class Translator(nn.Module):
    def __init__(self, words, depth=6, width=512, inner=2048, heads=8, dropout=0.1):
        super().__init__()
        self.width = width
        self.src_embed = nn.Embedding(words, width)
        self.tgt_embed = nn.Embedding(words, width)
        self.place = nn.Embedding(512, width)
        self.drop = nn.Dropout(dropout)
        self.enc = nn.ModuleList(Encoder(width, inner, heads) for _ in range(depth))
        self.dec = nn.ModuleList(Decoder(width, inner, heads) for _ in range(depth))
        self.head = nn.Linear(width, words, bias=False)

    def tie(self):
        """Share one matrix between both embeddings and the output layer."""
        self.src_embed.weight = self.head.weight
        self.tgt_embed.weight = self.head.weight

    def represent(self, table, ids):
        where = torch.arange(ids.size(1), device=ids.device)
        return self.drop(table(ids) * math.sqrt(self.width) + self.place(where))

    def encode(self, src):
        pad = (src == 0)[:, None, None]
        x = self.represent(self.src_embed, src)
        for block in self.enc:
            x = block(x, pad)
        return x, pad

    def decode(self, tgt, memory, pad):
        n = tgt.size(1)
        ahead = torch.ones(n, n, device=tgt.device).triu(1).bool()
        x = self.represent(self.tgt_embed, tgt)
        for block in self.dec:
            x = block(x, memory, ahead, pad)
        return self.head(x)

    def forward(self, src, tgt):
        return self.decode(tgt, *self.encode(src))
