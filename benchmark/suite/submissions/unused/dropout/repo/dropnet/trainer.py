import itertools

import torch
from torch.nn.functional import cross_entropy
from torch.utils.data import DataLoader

from dropnet.data import joined
from dropnet.layers import DropoutNet, MaxNorm


class Trainer:
    """Trains a network for a number of weight updates under the max-norm constraint."""

    def __init__(self, cfg, device="cpu"):
        self.cfg = cfg
        self.device = device
        self.constraint = MaxNorm(cfg.max_norm)

    def fit(self, hidden, dataset):
        cfg = self.cfg
        net = DropoutNet(hidden, cfg.p_hidden, cfg.p_input).to(self.device)
        opt = torch.optim.SGD(net.parameters(), lr=cfg.lr, momentum=cfg.momentum)
        loader = DataLoader(dataset, cfg.batch_size, shuffle=True)
        endless = itertools.chain.from_iterable(itertools.repeat(loader))
        for x, y in itertools.islice(endless, cfg.updates):
            opt.zero_grad()
            cross_entropy(net(x.to(self.device)), y.to(self.device)).backward()
            opt.step()
            self.constraint(net)
        return net.eval()

    def refit_on_everything(self, hidden, train, val):
        return self.fit(hidden, joined(train, val))
