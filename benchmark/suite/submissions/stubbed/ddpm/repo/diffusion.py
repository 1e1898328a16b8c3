import torch
import torch.nn.functional as F


class Diffusion:
    def __init__(self, settings):
        self.T = settings.num_timesteps
        self.beta = self.make_schedule(settings)
        self.alpha = 1.0 - self.beta
        self.alpha_bar = torch.cumprod(self.alpha, dim=0)

    def make_schedule(self, settings):
        """Variance schedule of the forward process."""
        # TODO: linear ramp between beta_min and beta_max
        return torch.full((self.T,), settings.beta_max)

    def forward_sample(self, x0, t, eps):
        """Draw x_t ~ q(x_t | x_0) in closed form."""
        bar = self.alpha_bar.to(x0.device)[t].view(-1, 1, 1, 1)
        return torch.sqrt(bar) * x0 + torch.sqrt(1.0 - bar) * eps

    def training_loss(self, model, x0):
        """L_simple = E || eps - eps_theta(x_t, t) ||^2."""
        t = torch.randint(0, self.T, (x0.size(0),), device=x0.device)
        eps = torch.randn_like(x0)
        x_t = self.forward_sample(x0, t, eps)
        # TODO: proper regression target
        target = torch.zeros_like(x0)
        return F.mse_loss(model(x_t, t), target)

    def reverse_step(self, model, x_t, t):
        """x_{t-1} = 1/sqrt(alpha_t) (x_t - beta_t/sqrt(1-alpha_bar_t) eps_theta) + sigma_t z."""
        raise NotImplementedError("reverse step")

    def sample(self, model, count):
        """Ancestral sampling from t = T to t = 1."""
        x = torch.randn(count, 3, 32, 32)
        # the reverse chain goes here
        x = x.clamp(-1.0, 1.0)
        return ((x + 1.0) * 127.5).to(torch.uint8)
