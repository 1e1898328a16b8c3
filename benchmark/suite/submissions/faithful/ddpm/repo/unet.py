import math

import torch
import torch.nn.functional as F
from torch import nn


def norm(channels):
    return nn.GroupNorm(32, channels)


class TimeEmbedding(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width
        self.mlp = nn.Sequential(
            nn.Linear(width, 4 * width), nn.SiLU(), nn.Linear(4 * width, 4 * width)
        )

    def forward(self, t):
        half = self.width // 2
        freq = torch.exp(-math.log(10000) * torch.arange(half, device=t.device) / (half - 1))
        angle = t.float()[:, None] * freq[None]
        return self.mlp(torch.cat([angle.sin(), angle.cos()], dim=1))


class ResidualBlock(nn.Module):
    def __init__(self, cin, cout, tdim, dropout):
        super().__init__()
        self.first = nn.Sequential(norm(cin), nn.SiLU(), nn.Conv2d(cin, cout, 3, padding=1))
        self.time = nn.Sequential(nn.SiLU(), nn.Linear(tdim, cout))
        self.second = nn.Sequential(
            norm(cout), nn.SiLU(), nn.Dropout(dropout), nn.Conv2d(cout, cout, 3, padding=1)
        )
        self.skip = nn.Conv2d(cin, cout, 1) if cin != cout else nn.Identity()

    def forward(self, x, temb):
        h = self.first(x) + self.time(temb)[:, :, None, None]
        return self.skip(x) + self.second(h)


class SelfAttention(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.norm = norm(channels)
        self.qkv = nn.Conv2d(channels, 3 * channels, 1)
        self.out = nn.Conv2d(channels, channels, 1)

    def forward(self, x, temb=None):
        b, c, h, w = x.shape
        q, k, v = self.qkv(self.norm(x)).reshape(b, 3, c, h * w).unbind(1)
        weights = torch.softmax(q.transpose(1, 2) @ k / math.sqrt(c), dim=-1)
        y = (v @ weights.transpose(1, 2)).reshape(b, c, h, w)
        return x + self.out(y)


class Down(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, stride=2, padding=1)

    def forward(self, x, temb=None):
        return self.conv(x)


class Up(nn.Module):
    def __init__(self, channels):
        super().__init__()
        self.conv = nn.Conv2d(channels, channels, 3, padding=1)

    def forward(self, x, temb=None):
        return self.conv(F.interpolate(x, scale_factor=2, mode="nearest"))


class UNet(nn.Module):
    def __init__(self, size, width, mults, blocks_per_level, attention_at, dropout):
        super().__init__()
        tdim = 4 * width
        self.time = TimeEmbedding(width)
        self.stem = nn.Conv2d(3, width, 3, padding=1)

        self.down = nn.ModuleList()
        skips, c, res = [width], width, size
        for level, mult in enumerate(mults):
            for _ in range(blocks_per_level):
                stage = nn.ModuleList([ResidualBlock(c, width * mult, tdim, dropout)])
                c = width * mult
                if res in attention_at:
                    stage.append(SelfAttention(c))
                self.down.append(stage)
                skips.append(c)
            if level + 1 < len(mults):
                self.down.append(nn.ModuleList([Down(c)]))
                skips.append(c)
                res //= 2

        self.middle = nn.ModuleList(
            [ResidualBlock(c, c, tdim, dropout), SelfAttention(c), ResidualBlock(c, c, tdim, dropout)]
        )

        self.up = nn.ModuleList()
        for level, mult in reversed(list(enumerate(mults))):
            for i in range(blocks_per_level + 1):
                stage = nn.ModuleList([ResidualBlock(c + skips.pop(), width * mult, tdim, dropout)])
                c = width * mult
                if res in attention_at:
                    stage.append(SelfAttention(c))
                if level > 0 and i == blocks_per_level:
                    stage.append(Up(c))
                    res *= 2
                self.up.append(stage)

        self.head = nn.Sequential(norm(c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))

    def forward(self, x, t):
        temb = self.time(t)
        h = self.stem(x)
        skips = [h]
        for stage in self.down:
            for layer in stage:
                h = layer(h, temb)
            skips.append(h)
        for layer in self.middle:
            h = layer(h, temb)
        for stage in self.up:
            h = torch.cat([h, skips.pop()], dim=1)
            for layer in stage:
                h = layer(h, temb)
        return self.head(h)
