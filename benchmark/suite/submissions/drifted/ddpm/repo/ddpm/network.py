import math

import torch
from torch import nn
from torch.nn import functional as F


def timestep_features(t, dim):
    """Sinusoidal features as in the Transformer."""
    half = dim // 2
    scale = torch.exp(torch.arange(half, device=t.device) * (-math.log(1e4) / (half - 1)))
    arg = t.float().unsqueeze(1) * scale
    return torch.cat((torch.sin(arg), torch.cos(arg)), dim=1)


class Block(nn.Module):
    def __init__(self, cin, cout, emb, dropout):
        super().__init__()
        self.norm1 = nn.GroupNorm(32, cin)
        self.conv1 = nn.Conv2d(cin, cout, 3, 1, 1)
        self.emb = nn.Linear(emb, cout)
        self.norm2 = nn.GroupNorm(32, cout)
        self.drop = nn.Dropout(dropout)
        self.conv2 = nn.Conv2d(cout, cout, 3, 1, 1)
        self.short = nn.Identity() if cin == cout else nn.Conv2d(cin, cout, 1)

    def forward(self, x, emb):
        h = self.conv1(F.silu(self.norm1(x)))
        h = h + self.emb(F.silu(emb))[..., None, None]
        h = self.conv2(self.drop(F.silu(self.norm2(h))))
        return h + self.short(x)


class Attention(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.norm = nn.GroupNorm(32, ch)
        self.mha = nn.MultiheadAttention(ch, num_heads=1, batch_first=True)

    def forward(self, x):
        n, c, h, w = x.shape
        y = self.norm(x).flatten(2).transpose(1, 2)
        y, _ = self.mha(y, y, y, need_weights=False)
        return x + y.transpose(1, 2).reshape(n, c, h, w)


class Net(nn.Module):
    """Time-conditional U-Net."""

    def __init__(self, ch, ch_mult, depth, attn, dropout, size=32):
        super().__init__()
        emb = 4 * ch
        self.ch = ch
        self.embed = nn.Sequential(nn.Linear(ch, emb), nn.SiLU(), nn.Linear(emb, emb))
        self.conv_in = nn.Conv2d(3, ch, 3, 1, 1)

        widths = [ch * m for m in ch_mult]
        self.enc, self.enc_attn, self.reduce = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        cin = ch
        stack = [ch]
        for k, width in enumerate(widths):
            blocks, attns = nn.ModuleList(), nn.ModuleList()
            for _ in range(depth):
                blocks.append(Block(cin, width, emb, dropout))
                attns.append(Attention(width) if size in attn else nn.Identity())
                cin = width
                stack.append(cin)
            self.enc.append(blocks)
            self.enc_attn.append(attns)
            if k < len(widths) - 1:
                self.reduce.append(nn.Conv2d(cin, cin, 3, 2, 1))
                stack.append(cin)
                size //= 2

        self.mid1 = Block(cin, cin, emb, dropout)
        self.mid_attn = Attention(cin)
        self.mid2 = Block(cin, cin, emb, dropout)

        self.dec, self.dec_attn, self.enlarge = nn.ModuleList(), nn.ModuleList(), nn.ModuleList()
        for k, width in reversed(list(enumerate(widths))):
            blocks, attns = nn.ModuleList(), nn.ModuleList()
            for _ in range(depth + 1):
                blocks.append(Block(cin + stack.pop(), width, emb, dropout))
                attns.append(Attention(width) if size in attn else nn.Identity())
                cin = width
            self.dec.append(blocks)
            self.dec_attn.append(attns)
            if k > 0:
                self.enlarge.append(nn.Conv2d(cin, cin, 3, 1, 1))
                size *= 2

        self.norm_out = nn.GroupNorm(32, cin)
        self.conv_out = nn.Conv2d(cin, 3, 3, 1, 1)

    def forward(self, x, t):
        emb = self.embed(timestep_features(t, self.ch))
        h = self.conv_in(x)
        memory = [h]
        for k, (blocks, attns) in enumerate(zip(self.enc, self.enc_attn)):
            for block, attn in zip(blocks, attns):
                h = attn(block(h, emb))
                memory.append(h)
            if k < len(self.reduce):
                h = self.reduce[k](h)
                memory.append(h)
        h = self.mid2(self.mid_attn(self.mid1(h, emb)), emb)
        for k, (blocks, attns) in enumerate(zip(self.dec, self.dec_attn)):
            for block, attn in zip(blocks, attns):
                h = attn(block(torch.cat((h, memory.pop()), dim=1), emb))
            if k < len(self.enlarge):
                h = self.enlarge[k](F.interpolate(h, scale_factor=2.0, mode="nearest"))
        return self.conv_out(F.silu(self.norm_out(h)))


def from_args(args):
    return Net(args.ch, args.ch_mult, args.depth, args.attn, args.dropout)
