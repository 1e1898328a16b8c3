import argparse
import tomllib

import torch
from torch.utils.data import DataLoader

from dataset import pretraining_set
from evaluation import linear_evaluation
from losses import nt_xent_loss
from model import SimCLRModel, convert_to_global_bn
from transforms import ViewGenerator, simclr_transform


def learning_rate(step, warmup_steps, total_steps, peak):
    """Linear warmup, then cosine decay without restarts."""
    return peak  # TODO


def pretrain(config, device):
    data, train = config["data"], config["train"]
    views = ViewGenerator(simclr_transform(data["image_size"]))
    loader = DataLoader(
        pretraining_set(data["root"], data["image_size"], views),
        batch_size=train["batch_size"],
        shuffle=True,
        drop_last=True,
        num_workers=data["num_workers"],
    )
    model = convert_to_global_bn(SimCLRModel(config["model"]["projection_dim"])).to(device)
    peak = train["base_lr"] * train["batch_size"] / 256
    # TODO: LARS
    optimizer = torch.optim.SGD(
        model.parameters(), lr=peak, momentum=train["momentum"], weight_decay=train["weight_decay"]
    )
    warmup, total = train["warmup_epochs"] * len(loader), train["epochs"] * len(loader)
    step = 0
    for epoch in range(train["epochs"]):
        for (view_1, view_2), _ in loader:
            for group in optimizer.param_groups:
                group["lr"] = learning_rate(step, warmup, total, peak)
            _, z_1 = model(view_1.to(device))
            _, z_2 = model(view_2.to(device))
            loss = nt_xent_loss(z_1, z_2, train["temperature"])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            step += 1
        print(f"epoch {epoch + 1}: {loss.item():.4f}")
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--config", default="configs/imagenet.toml")
    args = parser.parse_args()
    with open(args.config, "rb") as f:
        config = tomllib.load(f)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = pretrain(config, device)
    top1 = linear_evaluation(model.encoder, config)
    print(f"Linear evaluation: {top1:.1f} % top-1")


if __name__ == "__main__":
    main()
