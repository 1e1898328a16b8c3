import torch


def noam(step, width=512, warmup=4000):
    step = max(step, 1)
    return width**-0.5 * min(step**-0.5, step * warmup**-1.5)


def make_adam(parameters, lr):
    return torch.optim.Adam(parameters, lr=lr, betas=(0.9, 0.98), eps=1e-9)
