"""Policy losses. Each takes (agent, batch) and returns a scalar to minimise."""

import torch
from torch.distributions import kl_divergence


def ratio(agent, batch):
    return (agent.policy(batch["obs"]).log_prob(batch["act"]) - batch["logp"]).exp()


def mean_kl(agent, batch):
    return kl_divergence(batch["old"](batch["obs"]), agent.policy(batch["obs"])).mean()


class Plain:
    def loss(self, agent, batch):
        return -(ratio(agent, batch) * batch["adv"]).mean()

    def after(self, agent, batch):
        pass


class Clip(Plain):
    def __init__(self, eps=0.2):
        self.eps = eps

    def loss(self, agent, batch):
        r, adv = ratio(agent, batch), batch["adv"]
        return -torch.min(r * adv, r.clamp(1 - self.eps, 1 + self.eps) * adv).mean()


class FixedKL(Plain):
    def __init__(self, beta):
        self.beta = beta

    def loss(self, agent, batch):
        return super().loss(agent, batch) + self.beta * mean_kl(agent, batch)


class AdaptiveKL(FixedKL):
    def __init__(self, target):
        super().__init__(beta=1.0)
        self.target = target

    @torch.no_grad()
    def after(self, agent, batch):
        d = mean_kl(agent, batch).item()
        if d < self.target / 1.5:
            self.beta /= 2
        elif d > self.target * 1.5:
            self.beta *= 2


SURROGATES = {"none": Plain, "clip": Clip, "fixed": FixedKL, "adaptive": AdaptiveKL}
