import torch


class Process:
    """All quantities of the noising chain, indexed from 0."""

    def __init__(self, num_steps, beta_first, beta_last, device="cpu"):
        self.T = num_steps
        betas = torch.linspace(beta_first**0.5, beta_last**0.5, num_steps, device=device) ** 2
        alphas = 1.0 - betas
        abar = torch.cumprod(alphas, dim=0)
        abar_prev = torch.cat([abar.new_ones(1), abar[:-1]])

        self.betas, self.alphas, self.abar = betas, alphas, abar
        self.post_var = betas * (1.0 - abar_prev) / (1.0 - abar)
        weight = betas**2 / (2.0 * self.post_var.clamp(min=1e-6) * alphas * (1.0 - abar))
        self.weight = weight / weight.mean()

    @staticmethod
    def at(values, t):
        return values[t][:, None, None, None]

    def corrupt(self, x0, t, noise):
        """x_t given x_0 (Eq. 4)."""
        a = self.at(self.abar, t)
        return a.sqrt() * x0 + (1.0 - a).sqrt() * noise

    def objective(self, model, x0, t, noise):
        """Simple loss: distance between true and predicted noise."""
        guess = model(self.corrupt(x0, t, noise), t)
        per_image = (guess - noise).pow(2).mean(dim=(1, 2, 3))
        return (self.weight[t] * per_image).mean()

    @torch.no_grad()
    def denoise(self, model, x, t):
        """One reverse step (Eq. 11)."""
        eps = model(x, t)
        beta = self.at(self.betas, t)
        mean = (x - beta / (1.0 - self.at(self.abar, t)).sqrt() * eps) / self.at(self.alphas, t).sqrt()
        keep = (t > 0).float()[:, None, None, None]
        return mean + keep * self.at(self.post_var, t) * torch.randn_like(x)

    @torch.no_grad()
    def generate(self, model, shape, device):
        """Run the chain from pure noise to an image in [0, 1]."""
        x = torch.randn(shape, device=device)
        for i in torch.arange(self.T, device=device):
            x = self.denoise(model, x, i.expand(shape[0]))
        return x.clamp(-1.0, 1.0).add(1.0).div(2.0)
