import torch


@torch.no_grad()
def monte_carlo_errors(net, x, y, ks=(1, 2, 5, 10, 20, 40, 60, 80, 100)):
    """Error in per cent of k averaged thinned networks, and of the deterministic network."""
    net.eval()
    scaled = 100 * (net(x).argmax(1) != y).float().mean().item()
    net.train()
    total, errors = 0, {}
    for k in range(1, max(ks) + 1):
        total = total + net(x).softmax(1)
        if k in ks:
            errors[k] = 100 * (total.argmax(1) != y).float().mean().item()
    net.eval()
    return errors, scaled
