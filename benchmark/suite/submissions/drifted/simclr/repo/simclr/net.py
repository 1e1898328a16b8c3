from torch import nn
from torchvision import models


class ContrastiveNet(nn.Module):
    """Backbone and two-layer projection head."""

    def __init__(self, arch="resnet50", hidden_dim=2048, out_dim=128):
        super().__init__()
        backbone = getattr(models, arch)(weights=None)
        width = backbone.fc.in_features
        backbone.fc = nn.Identity()
        self.backbone = backbone
        self.head = nn.Sequential(
            nn.Linear(width, hidden_dim), nn.ReLU(), nn.Linear(hidden_dim, out_dim)
        )
        self.out_dim = out_dim

    def forward(self, x):
        h = self.backbone(x)
        return self.head(h)
