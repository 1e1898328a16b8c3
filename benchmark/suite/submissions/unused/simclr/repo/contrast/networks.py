from torch import nn
from torchvision.models import resnet50


class Backbone(nn.Module):
    width = 2048

    def __init__(self):
        super().__init__()
        self.resnet = resnet50(weights=None)
        self.resnet.fc = nn.Identity()

    def forward(self, x):
        return self.resnet(x)


class MLPHead(nn.Module):
    """g(h) = W2 relu(W1 h)."""

    def __init__(self, width, out):
        super().__init__()
        self.w1 = nn.Linear(width, width)
        self.w2 = nn.Linear(width, out)

    def forward(self, h):
        return self.w2(self.w1(h).relu())


def make_head(width, out):
    return nn.Linear(width, out)


def share_batch_norm(module):
    """Make every batch norm use the statistics of all processes."""
    return nn.SyncBatchNorm.convert_sync_batchnorm(module)
