import torch


def surrogate(logp, old_logp, advantages):
    """Clipped surrogate objective (to be maximised)."""
    ratio = torch.exp(logp - old_logp)
    # TODO: clip range
    return (ratio * advantages).mean()


class AdaptiveKL:
    """Penalty coefficient that follows the target divergence."""

    def __init__(self, target):
        self.target = target

    def penalty(self, old, new):
        raise NotImplementedError

    def update(self, divergence):
        # TODO: halve or double beta
        pass


def gae(rewards, values, last_value, dones, gamma, lam):
    advantages = torch.zeros_like(rewards)
    acc, following = 0.0, last_value
    for t in reversed(range(len(rewards))):
        keep = 1.0 - dones[t]
        delta = rewards[t] + gamma * following * keep - values[t]
        acc = delta + gamma * lam * keep * acc
        advantages[t] = acc
        following = values[t]
    return advantages
