from torch import nn
from torchvision.models import resnet50


class SimCLRModel(nn.Module):
    def __init__(self, projection_dim=128):
        super().__init__()
        resnet = resnet50(weights=None)
        features = resnet.fc.in_features
        # everything up to and including the average pooling
        self.encoder = nn.Sequential(*list(resnet.children())[:-1], nn.Flatten())
        self.projector = nn.Sequential(
            nn.Linear(features, features),
            nn.ReLU(),
            nn.Linear(features, projection_dim),
        )

    def forward(self, x):
        h = self.encoder(x)
        return h, self.projector(h)


def convert_to_global_bn(model):
    """Aggregate batch-norm statistics over all devices."""
    # TODO: distributed training
    return model
