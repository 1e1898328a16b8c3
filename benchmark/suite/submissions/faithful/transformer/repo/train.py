import os

import torch
import yaml
from torch.nn import functional as F

from data import PAD, batches
from model import Transformer


def main():
    with open("config.yaml") as f:
        cfg = yaml.safe_load(f)
    t = cfg["train"]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Transformer(cfg["data"]["vocab"], **cfg["model"]).to(device)
    opt = torch.optim.Adam(model.parameters(), lr=1.0, betas=tuple(t["betas"]), eps=t["eps"])
    scale = cfg["model"]["d_model"] ** -0.5

    def rate(done):
        step = done + 1
        return scale * min(step**-0.5, step * t["warmup"] ** -1.5)

    sched = torch.optim.lr_scheduler.LambdaLR(opt, rate)
    os.makedirs("ckpt", exist_ok=True)
    stream = batches(torch.load("train.pt"), cfg["data"]["tokens_per_batch"])
    model.train()
    for step in range(1, t["steps"] + 1):
        src, tgt = (x.to(device) for x in next(stream))
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(
            logits.flatten(0, 1), tgt[:, 1:].flatten(),
            ignore_index=PAD, label_smoothing=t["label_smoothing"],
        )
        opt.zero_grad()
        loss.backward()
        opt.step()
        sched.step()
        if step % 100 == 0:
            print(step, loss.item())
        if step % t["save_every"] == 0:
            torch.save(model.state_dict(), f"ckpt/{step:07d}.pt")


if __name__ == "__main__":
    main()
