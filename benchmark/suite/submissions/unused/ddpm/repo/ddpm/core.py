import torch
import torch.nn.functional as F

from ddpm.schedules import cosine_schedule


def gather(table, t, ndim):
    return table.to(t.device)[t].reshape((-1,) + (1,) * (ndim - 1))


class DDPM:
    """Forward process, objective and samplers for a noise predictor."""

    def __init__(self, steps):
        self.steps = steps
        self.betas = cosine_schedule(steps)
        self.alphas = 1 - self.betas
        self.alphas_bar = self.alphas.cumprod(0)
        self.alphas_bar_prev = F.pad(self.alphas_bar[:-1], (1, 0), value=1.0)

    def perturb(self, x0, t, noise):
        bar = gather(self.alphas_bar, t, x0.ndim)
        return bar.sqrt() * x0 + (1 - bar).sqrt() * noise

    def loss(self, net, x0):
        t = torch.randint(0, self.steps, (x0.shape[0],), device=x0.device)
        noise = torch.randn_like(x0)
        return ((net(self.perturb(x0, t, noise), t) - noise) ** 2).mean()

    @torch.no_grad()
    def ancestral_step(self, net, x, i):
        """Sample x_{t-1} given x_t with the fixed variance beta_t."""
        t = torch.full((x.shape[0],), i, device=x.device, dtype=torch.long)
        beta, alpha, bar = self.betas[i], self.alphas[i], self.alphas_bar[i]
        mean = (x - beta / (1 - bar).sqrt() * net(x, t)) / alpha.sqrt()
        if i == 0:
            return mean
        return mean + beta.sqrt() * torch.randn_like(x)

    @torch.no_grad()
    def ancestral_sampler(self, net, shape, device):
        x = torch.randn(shape, device=device)
        for i in range(self.steps - 1, -1, -1):
            x = self.ancestral_step(net, x, i)
        return (x.clamp(-1, 1) + 1) / 2

    @torch.no_grad()
    def fast_sampler(self, net, shape, device, stride=20):
        """Deterministic sampler over every `stride`-th step."""
        x = torch.randn(shape, device=device)
        grid = list(range(self.steps - 1, -1, -stride))
        for i, j in zip(grid, grid[1:] + [-1]):
            t = torch.full((shape[0],), i, device=device, dtype=torch.long)
            bar = self.alphas_bar[i]
            bar_next = self.alphas_bar[j] if j >= 0 else torch.tensor(1.0)
            eps = net(x, t)
            x0 = ((x - (1 - bar).sqrt() * eps) / bar.sqrt()).clamp(-1, 1)
            x = bar_next.sqrt() * x0 + (1 - bar_next).sqrt() * eps
        return (x.clamp(-1, 1) + 1) / 2
