from pathlib import Path

import torch
from torch.nn import functional as F

from .config import TransformerConfig
from .model import Transformer


def learning_rate(step: int) -> float:
    """Warm-up followed by inverse square root decay."""
    # TODO: implement the schedule
    return 1e-4


def smoothed_loss(logits, targets):
    """Cross entropy against smoothed targets."""
    # TODO: smoothing
    return F.cross_entropy(logits.flatten(0, 1), targets.flatten())


def wmt14_batches(cfg: TransformerConfig):
    """Batches of English-German sentence pairs."""
    # Random token ids stand in for the corpus, which takes long to download.
    while True:
        src = torch.randint(1, cfg.vocab_size, (32, 40))
        tgt = torch.randint(1, cfg.vocab_size, (32, 42))
        yield src, tgt


def train(cfg: TransformerConfig, out: Path) -> list[Path]:
    model = Transformer(cfg)
    optimizer = torch.optim.Adam(
        model.parameters(), betas=(cfg.adam_beta1, cfg.adam_beta2), eps=cfg.adam_eps
    )
    out.mkdir(exist_ok=True)
    saved = []
    for step, (src, tgt) in enumerate(wmt14_batches(cfg), 1):
        for group in optimizer.param_groups:
            group["lr"] = learning_rate(step)
        loss = smoothed_loss(model(src, tgt[:, :-1]), tgt[:, 1:])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % cfg.checkpoint_every == 0:
            saved.append(out / f"{step}.pt")
            torch.save(model.state_dict(), saved[-1])
            print(f"step {step}: loss {loss.item():.3f}")
        if step == cfg.max_steps:
            return saved
