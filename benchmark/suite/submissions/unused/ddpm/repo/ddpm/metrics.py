"""FID and Inception score of a sampler, with the training images as reference."""
import torch
from torchmetrics.image.fid import FrechetInceptionDistance
from torchmetrics.image.inception import InceptionScore


def as_uint8(x):
    return (x * 255).round().clamp(0, 255).to(torch.uint8)


@torch.no_grad()
def fid_and_is(draw, train_loader, device, num_samples=50000, batch=200):
    fid = FrechetInceptionDistance(2048).to(device)
    inception = InceptionScore().to(device)
    for x, _ in train_loader:
        fid.update(as_uint8((x + 1) / 2).to(device), real=True)
    for start in range(0, num_samples, batch):
        fake = as_uint8(draw(min(batch, num_samples - start)))
        fid.update(fake, real=False)
        inception.update(fake)
    return fid.compute().item(), inception.compute()[0].item()
