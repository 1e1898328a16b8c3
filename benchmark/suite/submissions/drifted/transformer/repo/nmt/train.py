import argparse
import json
from pathlib import Path

import torch
import torch.nn.functional as F
from torch.nn.utils.rnn import pad_sequence
from torch.utils.data import DataLoader

from .schedule import NoamSchedule
from .transformer import Transformer


def collate(rows):
    src = pad_sequence([torch.tensor(r["src"]) for r in rows], batch_first=True)
    tgt = pad_sequence([torch.tensor(r["tgt"]) for r in rows], batch_first=True)
    return src, tgt


def read(path):
    with open(path, encoding="utf-8") as f:
        return [json.loads(line) for line in f]


def forever(loader):
    while True:
        yield from loader


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True)
    p.add_argument("--save", required=True)
    p.add_argument("--layers", type=int, default=6)
    p.add_argument("--d-model", type=int, default=512)
    p.add_argument("--d-ff", type=int, default=2048)
    p.add_argument("--heads", type=int, default=8)
    p.add_argument("--dropout", type=float, default=0.1)
    p.add_argument("--smoothing", type=float, default=0.1)
    p.add_argument("--warmup", type=int, default=4000)
    p.add_argument("--batch-size", type=int, default=64)
    p.add_argument("--max-steps", type=int, default=100000)
    p.add_argument("--save-interval", type=int, default=1500)
    args = p.parse_args()

    save = Path(args.save)
    save.mkdir(parents=True, exist_ok=True)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    bpe = json.loads(Path(args.data, "bpe.json").read_text(encoding="utf-8"))
    vocab = len(bpe["model"]["vocab"])
    config = dict(
        vocab_size=vocab, n_layers=args.layers, d_model=args.d_model, d_ff=args.d_ff,
        n_heads=args.heads, dropout=args.dropout,
    )
    (save / "config.json").write_text(json.dumps(config))
    model = Transformer(**config).to(device)
    optimizer = torch.optim.Adam(model.parameters(), betas=(0.9, 0.98), eps=1e-9)
    schedule = NoamSchedule(optimizer, args.d_model, args.warmup)
    rows = read(Path(args.data, "train.jsonl"))
    loader = DataLoader(rows, batch_size=args.batch_size, shuffle=True, collate_fn=collate)

    model.train()
    for step, (src, tgt) in enumerate(forever(loader), 1):
        src, tgt = src.to(device), tgt.to(device)
        logits = model(src, tgt[:, :-1])
        loss = F.cross_entropy(
            logits.transpose(1, 2), tgt[:, 1:], ignore_index=0, label_smoothing=args.smoothing
        )
        optimizer.zero_grad()
        loss.backward()
        schedule.step()
        if step % args.save_interval == 0:
            torch.save(model.state_dict(), save / f"step{step:06d}.pt")
            print(step, loss.item(), schedule.rate())
        if step == args.max_steps:
            break


if __name__ == "__main__":
    main()
