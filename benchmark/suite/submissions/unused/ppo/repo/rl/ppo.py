import torch
from torch.distributions import kl_divergence


def clipped_surrogate(logp, old_logp, adv, clip=0.2):
    ratio = (logp - old_logp).exp()
    return torch.minimum(ratio * adv, ratio.clamp(1 - clip, 1 + clip) * adv).mean()


def ppo_update(policy, value, optimizer, batch, epochs=10, minibatch=64, clip=0.2):
    """K epochs of minibatch updates against the log-probabilities of the collecting policy."""
    for _ in range(epochs):
        for idx in torch.randperm(len(batch.adv)).split(minibatch):
            logp = policy(batch.obs[idx]).log_prob(batch.act[idx])
            gain = clipped_surrogate(logp, batch.logp[idx], batch.adv[idx], clip)
            error = value(batch.obs[idx]).squeeze(-1) - batch.target[idx]
            optimizer.zero_grad()
            (error.pow(2).mean() - gain).backward()
            optimizer.step()


class KLPenalty:
    def __init__(self, target=0.01, beta=1.0):
        self.target, self.beta = target, beta

    def adjust(self, d):
        if d < self.target / 1.5:
            self.beta = self.beta / 2
        elif d > 1.5 * self.target:
            self.beta = self.beta * 2


def kl_update(policy, frozen, value, optimizer, batch, penalty, epochs=10, minibatch=64):
    """Minibatch updates of the penalised objective."""
    for _ in range(epochs):
        for idx in torch.randperm(len(batch.adv)).split(minibatch):
            now, then = policy(batch.obs[idx]), frozen(batch.obs[idx])
            ratio = (now.log_prob(batch.act[idx]) - batch.logp[idx]).exp()
            gain = (ratio * batch.adv[idx] - penalty.beta * kl_divergence(then, now)).mean()
            error = value(batch.obs[idx]).squeeze(-1) - batch.target[idx]
            optimizer.zero_grad()
            (error.pow(2).mean() - gain).backward()
            optimizer.step()
            penalty.adjust(kl_divergence(then, now).mean().item())
