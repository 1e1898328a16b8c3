import torch
import torch.nn.functional as F

from digits import minibatches
from layers import mlp, project


def penalty(network, s):
    weights = [p for name, p in network.named_parameters() if name.endswith("weight")]
    value = 0.0
    if s.l2:
        value = value + s.l2 * sum(w.pow(2).sum() for w in weights)
    if s.l1:
        value = value + s.l1 * sum(w.abs().sum() for w in weights)
    return value


def fit(s, x, y):
    torch.manual_seed(s.seed)
    network = mlp(s).to(x.device)
    optimizer = torch.optim.SGD(network.parameters(), lr=s.learning_rate, momentum=s.momentum_start)
    stream = minibatches(x, y, s.batch_size)
    network.train()
    for update in range(s.updates):
        ramp = min(1.0, update / s.momentum_ramp)
        group = optimizer.param_groups[0]
        group["momentum"] = (1 - ramp) * s.momentum_start + ramp * s.momentum_final
        group["lr"] = s.learning_rate / (1.0 + max(0, update - s.decay_after) / s.decay_after)

        images, labels = next(stream)
        loss = F.cross_entropy(network(images), labels) + penalty(network, s)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if s.max_norm is not None:
            project(network, s.max_norm)
    return network.eval()


@torch.no_grad()
def error_percent(network, x, y):
    wrong = 0
    for start in range(0, len(x), 1000):
        guess = network(x[start : start + 1000]).argmax(dim=1)
        wrong += (guess != y[start : start + 1000]).sum().item()
    return 100.0 * wrong / len(x)


@torch.no_grad()
def averaged_error(network, x, y, samples):
    """Test error when the probabilities of `samples` thinned networks are averaged."""
    network.train()
    total = sum(network(x).softmax(dim=1) for _ in range(samples))
    network.eval()
    return 100.0 * (total.argmax(dim=1) != y).float().mean().item()
