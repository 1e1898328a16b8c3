import math

import torch
from torch import nn
from torch.nn.functional import interpolate


class PositionalEncoding(nn.Module):
    def __init__(self, dim, out):
        super().__init__()
        self.dim = dim
        self.proj = nn.Sequential(nn.Linear(dim, out), nn.SiLU(), nn.Linear(out, out))

    def forward(self, t):
        half = self.dim // 2
        rates = torch.exp(torch.arange(half, device=t.device) * -(math.log(10000.0) / (half - 1)))
        phase = t[:, None].float() * rates[None, :]
        return self.proj(torch.cat([phase.sin(), phase.cos()], dim=-1))


class ResBlock(nn.Module):
    def __init__(self, c_in, c_out, t_dim, dropout=0.0):
        super().__init__()
        self.block1 = nn.Sequential(
            nn.GroupNorm(32, c_in), nn.SiLU(), nn.Conv2d(c_in, c_out, 3, padding=1)
        )
        self.t_proj = nn.Sequential(nn.SiLU(), nn.Linear(t_dim, c_out))
        self.block2 = nn.Sequential(
            nn.GroupNorm(32, c_out),
            nn.SiLU(),
            nn.Dropout(dropout),
            nn.Conv2d(c_out, c_out, 3, padding=1),
        )
        self.shortcut = nn.Conv2d(c_in, c_out, 1) if c_in != c_out else nn.Identity()

    def forward(self, x, t):
        h = self.block1(x) + self.t_proj(t)[:, :, None, None]
        return self.block2(h) + self.shortcut(x)


class AttnBlock(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.norm = nn.GroupNorm(32, c)
        self.to_qkv = nn.Conv2d(c, c * 3, 1)
        self.to_out = nn.Conv2d(c, c, 1)

    def forward(self, x):
        b, c, h, w = x.shape
        q, k, v = self.to_qkv(self.norm(x)).view(b, 3, c, h * w).unbind(dim=1)
        attn = torch.einsum("bci,bcj->bij", q, k).div(math.sqrt(c)).softmax(dim=-1)
        out = torch.einsum("bij,bcj->bci", attn, v).view(b, c, h, w)
        return x + self.to_out(out)


class UNet(nn.Module):
    def __init__(self, base=128, multipliers=(1, 2, 2, 2), res_blocks=2, attn_resolutions=(),
                 dropout=0.0, image_size=32):
        super().__init__()
        t_dim = base * 4
        self.time = PositionalEncoding(base, t_dim)
        self.inp = nn.Conv2d(3, base, 3, padding=1)

        def unit(c_in, c_out, res):
            attn = AttnBlock(c_out) if res in attn_resolutions else nn.Identity()
            return nn.ModuleList([ResBlock(c_in, c_out, t_dim, dropout), attn])

        c, res, chans = base, image_size, [base]
        self.encoder, self.downs = nn.ModuleList(), nn.ModuleList()
        for n, m in enumerate(multipliers):
            level = nn.ModuleList()
            for _ in range(res_blocks):
                level.append(unit(c, base * m, res))
                c = base * m
                chans.append(c)
            self.encoder.append(level)
            if n < len(multipliers) - 1:
                self.downs.append(nn.Conv2d(c, c, 3, stride=2, padding=1))
                chans.append(c)
                res //= 2

        self.bottleneck = nn.ModuleList([ResBlock(c, c, t_dim, dropout) for _ in range(2)])

        self.decoder, self.ups = nn.ModuleList(), nn.ModuleList()
        for n, m in reversed(list(enumerate(multipliers))):
            level = nn.ModuleList()
            for _ in range(res_blocks + 1):
                level.append(unit(c + chans.pop(), base * m, res))
                c = base * m
            self.decoder.append(level)
            if n > 0:
                self.ups.append(nn.Conv2d(c, c, 3, padding=1))
                res *= 2
        self.out = nn.Sequential(nn.GroupNorm(32, c), nn.SiLU(), nn.Conv2d(c, 3, 3, padding=1))

    def forward(self, x, t):
        t = self.time(t)
        h = self.inp(x)
        skips = [h]
        for n, level in enumerate(self.encoder):
            for res, attn in level:
                h = attn(res(h, t))
                skips.append(h)
            if n < len(self.downs):
                h = self.downs[n](h)
                skips.append(h)
        for res in self.bottleneck:
            h = res(h, t)
        for n, level in enumerate(self.decoder):
            for res, attn in level:
                h = attn(res(torch.cat([h, skips.pop()], dim=1), t))
            if n < len(self.ups):
                h = self.ups[n](interpolate(h, scale_factor=2))
        return self.out(h)
