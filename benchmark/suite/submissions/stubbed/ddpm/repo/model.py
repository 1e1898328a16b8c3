import torch
from torch import nn


class NoisePredictor(nn.Module):
    """U-Net over four resolutions (32, 16, 8, 4).

    Each resolution has two residual blocks with group normalization; self-attention is
    applied at 16x16. The timestep enters through a sinusoidal embedding.
    """

    def __init__(self, hidden, dropout, num_timesteps):
        super().__init__()
        self.num_timesteps = num_timesteps
        # TODO: encoder / decoder with skip connections
        # TODO: attention blocks
        self.net = nn.Sequential(
            nn.Conv2d(4, hidden, 3, padding=1),
            nn.GroupNorm(8, hidden),
            nn.SiLU(),
            nn.Dropout(dropout),
            nn.Conv2d(hidden, 3, 3, padding=1),
        )

    def forward(self, x, t):
        level = (t.float() / self.num_timesteps).view(-1, 1, 1, 1)
        level = level.expand(-1, 1, x.shape[2], x.shape[3])
        return self.net(torch.cat([x, level], dim=1))
