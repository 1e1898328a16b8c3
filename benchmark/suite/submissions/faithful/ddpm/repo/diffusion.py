"""Forward noising, training loss and ancestral sampling."""
import torch
import torch.nn.functional as F
from torch import nn


def pick(values, t, like):
    """Select values[t] and shape it so that it broadcasts over an image batch."""
    return values[t].view(-1, *([1] * (like.dim() - 1)))


class GaussianDiffusion(nn.Module):
    def __init__(self, timesteps, beta_start, beta_end, target="eps"):
        super().__init__()
        self.timesteps = timesteps
        self.target = target

        beta = torch.linspace(beta_start, beta_end, timesteps, dtype=torch.float64)
        alpha = 1.0 - beta
        alpha_bar = torch.cumprod(alpha, dim=0)
        alpha_bar_prev = torch.cat([torch.ones(1, dtype=torch.float64), alpha_bar[:-1]])

        def keep(name, value):
            self.register_buffer(name, value.float(), persistent=False)

        keep("beta", beta)
        keep("signal", alpha_bar.sqrt())
        keep("noise", (1.0 - alpha_bar).sqrt())
        keep("inv_sqrt_alpha", alpha.rsqrt())
        keep("eps_coef", beta / (1.0 - alpha_bar).sqrt())
        keep("sigma", beta.sqrt())
        # coefficients of the posterior mean q(x_{t-1} | x_t, x_0)
        keep("post_x0", beta * alpha_bar_prev.sqrt() / (1.0 - alpha_bar))
        keep("post_xt", (1.0 - alpha_bar_prev) * alpha.sqrt() / (1.0 - alpha_bar))

    def diffuse(self, x0, t, eps):
        return pick(self.signal, t, x0) * x0 + pick(self.noise, t, x0) * eps

    def posterior_mean(self, x0, xt, t):
        return pick(self.post_x0, t, x0) * x0 + pick(self.post_xt, t, x0) * xt

    def loss(self, net, x0):
        t = torch.randint(self.timesteps, (x0.shape[0],), device=x0.device)
        eps = torch.randn_like(x0)
        xt = self.diffuse(x0, t, eps)
        wanted = eps if self.target == "eps" else self.posterior_mean(x0, xt, t)
        return F.mse_loss(net(xt, t), wanted)

    def reverse_mean(self, net, xt, t):
        out = net(xt, t)
        if self.target == "mean":
            return out
        return pick(self.inv_sqrt_alpha, t, xt) * (xt - pick(self.eps_coef, t, xt) * out)

    @torch.no_grad()
    def sample(self, net, count, size, device):
        x = torch.randn(count, 3, size, size, device=device)
        for step in reversed(range(self.timesteps)):
            t = torch.full((count,), step, device=device, dtype=torch.long)
            x = self.reverse_mean(net, x, t)
            if step > 0:
                x = x + self.sigma[step] * torch.randn_like(x)
        return ((x.clamp(-1, 1) + 1) * 127.5).round().to(torch.uint8)
