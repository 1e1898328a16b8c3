import torch


class ExponentialMovingAverage:
    """Keeps a smoothed copy of a model's parameters for sampling."""

    def __init__(self, parameters, decay=0.9999):
        self.decay = decay
        self.shadow = [p.detach().clone() for p in parameters]

    @torch.no_grad()
    def update(self, parameters):
        for s, p in zip(self.shadow, parameters):
            s.sub_((1 - self.decay) * (s - p))

    @torch.no_grad()
    def copy_to(self, parameters):
        for s, p in zip(self.shadow, parameters):
            p.copy_(s)
