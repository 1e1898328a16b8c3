import argparse
import copy
import pathlib

import torch
import yaml

from data import endless_loader
from diffusion import GaussianDiffusion
from unet import UNet


def build(cfg, device):
    net = UNet(cfg["data"]["image_size"], **cfg["unet"]).to(device)
    diffusion = GaussianDiffusion(**cfg["diffusion"]).to(device)
    return net, diffusion


@torch.no_grad()
def update_average(average, net, decay):
    for a, p in zip(average.parameters(), net.parameters()):
        a.lerp_(p, 1.0 - decay)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.yaml")
    parser.add_argument("--out", default="runs/eps")
    parser.add_argument("--target", choices=["eps", "mean"])
    args = parser.parse_args()

    with open(args.config) as f:
        cfg = yaml.safe_load(f)
    if args.target:
        cfg["diffusion"]["target"] = args.target
    out = pathlib.Path(args.out)
    out.mkdir(parents=True, exist_ok=True)

    device = "cuda" if torch.cuda.is_available() else "cpu"
    net, diffusion = build(cfg, device)
    average = copy.deepcopy(net).eval().requires_grad_(False)
    optimizer = torch.optim.Adam(net.parameters(), lr=cfg["train"]["lr"])
    batches = endless_loader(cfg["data"])

    for step in range(1, cfg["train"]["steps"] + 1):
        x0 = next(batches).to(device)
        loss = diffusion.loss(net, x0)
        optimizer.zero_grad(set_to_none=True)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(net.parameters(), cfg["train"]["clip"])
        optimizer.step()
        update_average(average, net, cfg["train"]["ema"])

        if step % 100 == 0:
            print(f"step {step} loss {loss.item():.4f}", flush=True)
        if step % cfg["train"]["save_every"] == 0 or step == cfg["train"]["steps"]:
            torch.save(
                {"net": net.state_dict(), "average": average.state_dict(), "config": cfg},
                out / "last.pt",
            )


if __name__ == "__main__":
    main()
