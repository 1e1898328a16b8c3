import torch
from torch import nn
from torchvision.models import resnet50


def encoder():
    """ResNet-50 that ends in the pooled 2048-dimensional representation."""
    net = resnet50(weights=None)
    net.fc = nn.Identity()
    return net


class SimCLR(nn.Module):
    def __init__(self, dim=128):
        super().__init__()
        self.f = encoder()
        self.g = nn.Sequential(nn.Linear(2048, 2048), nn.ReLU(inplace=True), nn.Linear(2048, dim))

    def forward(self, x):
        return self.g(self.f(x))


def load_encoder(path):
    """The encoder of a checkpoint; its projection head is left behind."""
    state = torch.load(path, map_location="cpu")["encoder"]
    net = encoder()
    net.load_state_dict(state)
    return net
