import torch
from torch.distributions import kl_divergence


class PPO:
    def __init__(self, agent, cfg):
        self.agent = agent
        self.cfg = cfg
        self.beta = 1.0
        self.optimizer = torch.optim.AdamW(agent.parameters(), lr=cfg["lr"])

    def policy_loss(self, ratio, adv, kl):
        name = self.cfg["name"]
        if name == "clip":
            eps = self.cfg["clip_range"]
            return -(torch.clamp(ratio, 1.0 - eps, 1.0 + eps) * adv).mean()
        loss = -(ratio * adv).mean()
        if name == "kl":
            loss = loss + self.beta * kl
        return loss

    def kl(self, before, obs):
        return kl_divergence(before, self.agent.dist(obs)).sum(-1).mean()

    def update(self, rollout):
        cfg = self.cfg
        with torch.no_grad():
            start = self.agent.dist(rollout.obs)
        for _ in range(cfg["epochs"]):
            adv, ret = rollout.advantages(self.agent, cfg["gamma"], cfg["gae_lambda"])
            adv = (adv - adv.mean()) / (adv.std() + 1e-8)
            with torch.no_grad():
                old_logp = self.agent.log_prob(rollout.obs, rollout.act)
            for idx in torch.randperm(len(adv)).split(cfg["minibatch"]):
                obs, act = rollout.obs[idx], rollout.act[idx]
                ratio = torch.exp(self.agent.log_prob(obs, act) - old_logp[idx])
                before = type(start)(start.loc[idx], start.scale[idx])
                loss = self.policy_loss(ratio, adv[idx], self.kl(before, obs))
                loss = loss + 0.5 * (self.agent.value(obs) - ret[idx]).pow(2).mean()
                self.optimizer.zero_grad()
                loss.backward()
                self.optimizer.step()
        if cfg["name"] == "kl":
            self.adapt(start, rollout.obs)

    @torch.no_grad()
    def adapt(self, start, obs):
        """Move the penalty so that the next update lands near the target."""
        d = self.kl(start, obs).item()
        if d < self.cfg["d_targ"] / 1.5:
            self.beta /= 1.5
        elif d > self.cfg["d_targ"] * 1.5:
            self.beta *= 1.5
