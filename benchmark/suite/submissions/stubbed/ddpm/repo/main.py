import torch

from data import cifar10_loader
from diffusion import Diffusion
from evaluation import compute_metrics, run_objective_ablation
from model import NoisePredictor
from settings import Settings


class EMA:
    """Exponential moving average of model parameters."""

    def __init__(self, model, decay):
        self.decay = decay

    def update(self, model):
        pass

    def copy_to(self, model):
        pass


def train(settings, model, diffusion):
    optimizer = torch.optim.Adam(model.parameters(), lr=settings.learning_rate)
    ema = EMA(model, settings.ema_decay)
    loader = iter(cifar10_loader(settings.batch_size))
    # TODO: range(settings.total_steps)
    for step in range(10):
        images, _ = next(loader)
        images = images.to(settings.device)
        loss = diffusion.training_loss(model, images)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        ema.update(model)
        print(f"step {step}: loss {loss.item():.4f}")
    ema.copy_to(model)
    return model


def main():
    settings = Settings()
    diffusion = Diffusion(settings)
    model = NoisePredictor(settings.hidden, settings.dropout, settings.num_timesteps)
    model = train(settings, model.to(settings.device), diffusion)

    samples = diffusion.sample(model, 64)
    metrics = compute_metrics(samples)
    print("FID %.2f, IS %.2f" % (metrics["fid"], metrics["inception_score"]))
    run_objective_ablation(settings)


if __name__ == "__main__":
    main()
