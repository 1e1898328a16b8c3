import argparse
import json

import torch
import yaml
from torchmetrics.image.fid import FrechetInceptionDistance
from torchmetrics.image.inception import InceptionScore

from data import reference_loader
from train import build


def to_bytes(x):
    return ((x + 1) * 127.5).round().to(torch.uint8)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="config.yaml")
    parser.add_argument("--ckpt", required=True)
    parser.add_argument("--metrics", nargs="+", default=["fid", "is"])
    parser.add_argument("--json")
    args = parser.parse_args()

    with open(args.config) as f:
        cfg = yaml.safe_load(f)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    state = torch.load(args.ckpt, map_location=device)
    cfg["diffusion"] = state["config"]["diffusion"]
    net, diffusion = build(cfg, device)
    net.load_state_dict(state["average"])
    net.eval()

    metrics = {}
    if "fid" in args.metrics:
        metrics["fid"] = FrechetInceptionDistance(feature=2048).to(device)
        for images, _ in reference_loader(cfg["data"], cfg["eval"]["batch_size"]):
            metrics["fid"].update(to_bytes(images).to(device), real=True)
    if "is" in args.metrics:
        metrics["is"] = InceptionScore().to(device)

    done, total = 0, cfg["eval"]["samples"]
    while done < total:
        count = min(cfg["eval"]["batch_size"], total - done)
        fake = diffusion.sample(net, count, cfg["data"]["image_size"], device)
        if "fid" in metrics:
            metrics["fid"].update(fake, real=False)
        if "is" in metrics:
            metrics["is"].update(fake)
        done += count

    result = {}
    if "fid" in metrics:
        result["fid"] = metrics["fid"].compute().item()
    if "is" in metrics:
        mean, std = metrics["is"].compute()
        result["is"] = [mean.item(), std.item()]
    print(json.dumps(result, indent=2))
    if args.json:
        with open(args.json, "w") as f:
            json.dump(result, f)


if __name__ == "__main__":
    main()
