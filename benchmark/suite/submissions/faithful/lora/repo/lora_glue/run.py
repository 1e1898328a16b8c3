import argparse
import json
import statistics

import torch
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    get_linear_schedule_with_warmup,
    set_seed,
)

from .glue import loaders, score
from .layers import insert, low_rank_layers, low_rank_state
from .tasks import TASKS

BASE = "roberta-base"
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def build(method, task, args, start=None):
    model = AutoModelForSequenceClassification.from_pretrained(BASE, num_labels=task.labels)
    if method == "lora":
        insert(model, args.rank, args.alpha)
        if start is not None:
            model.load_state_dict(start, strict=False)
    elif method == "bitfit":
        for name, p in model.roberta.named_parameters():
            p.requires_grad_(name.endswith("bias"))
    return model.to(DEVICE)


@torch.no_grad()
def evaluate(model, task, valid):
    model.eval()
    for layer in low_rank_layers(model):
        layer.merge()
    logits, targets = [], []
    for batch in valid:
        batch = batch.to(DEVICE)
        targets.append(batch.pop("labels").cpu())
        logits.append(model(**batch).logits.cpu())
    for layer in low_rank_layers(model):
        layer.unmerge()
    return float(score(task, torch.cat(logits).numpy(), torch.cat(targets).numpy()))


def train_one(method, task, seed, args, start=None):
    """One run; returns its best validation score and the low-rank weights of that epoch."""
    set_seed(seed)
    train, valid = loaders(task, AutoTokenizer.from_pretrained(BASE), args.max_length)
    model = build(method, task, args, start)
    lr = args.full_lr if method == "ft" else task.lr
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trainable, lr=lr)
    steps = len(train) * task.epochs
    schedule = get_linear_schedule_with_warmup(optimizer, int(args.warmup * steps), steps)
    best, state = float("-inf"), None
    for _ in range(task.epochs):
        model.train()
        for batch in train:
            loss = model(**batch.to(DEVICE)).loss
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
        now = evaluate(model, task, valid)
        if now > best:
            best, state = now, low_rank_state(model)
    return best, state


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--rank", type=int, default=8)
    p.add_argument("--alpha", type=float, default=8)
    p.add_argument("--max-length", type=int, default=512)
    p.add_argument("--warmup", type=float, default=0.06)
    p.add_argument("--full-lr", type=float, default=2e-5)
    p.add_argument("--seeds", type=int, default=5)
    p.add_argument("--rank-study", action="store_true")
    args = p.parse_args()

    scores = {}
    if args.rank_study:
        for args.rank in (1, 2, 4, 8, 64):
            runs = [train_one("lora", TASKS["mrpc"], s, args)[0] for s in range(args.seeds)]
            scores[f"mrpc/r={args.rank}"] = statistics.median(runs)
    else:
        _, mnli = train_one("lora", TASKS["mnli"], 0, args)
        for name in ("mrpc", "cola", "rte", "stsb"):
            task = TASKS[name]
            for method in ("lora", "ft", "bitfit"):
                start = mnli if method == "lora" and task.from_mnli else None
                runs = [train_one(method, task, s, args, start)[0] for s in range(args.seeds)]
                scores[f"{name}/{method}"] = statistics.median(runs)
                print(name, method, scores[f"{name}/{method}"])
    with open("scores.json", "w", encoding="utf-8") as f:
        json.dump(scores, f, indent=2)


if __name__ == "__main__":
    main()
