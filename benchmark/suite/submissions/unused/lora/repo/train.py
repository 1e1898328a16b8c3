import argparse
import json

import numpy as np
import torch
from peft import LoraConfig, TaskType, get_peft_model
from torch.nn import functional as F
from transformers import AutoModelForSequenceClassification, AutoTokenizer, set_seed

from glue_lora.data import make_loaders
from glue_lora.scores import glue_score

OUTPUTS = {"mnli": 3, "stsb": 1}


def build_model(args):
    model = AutoModelForSequenceClassification.from_pretrained(
        args.model, num_labels=OUTPUTS.get(args.task, 2)
    )
    config = LoraConfig(
        task_type=TaskType.SEQ_CLS,
        r=args.r,
        lora_alpha=args.alpha,
        lora_dropout=0.0,
        bias="none",
        target_modules=["query", "value"],
        init_lora_weights="gaussian",
    )
    return get_peft_model(model, config)


@torch.no_grad()
def evaluate(model, loader, task, device):
    model.eval()
    out, gold = [], []
    for enc, y in loader:
        out.append(model(**enc.to(device)).logits.cpu().numpy())
        gold.append(y.numpy())
    return glue_score(task, np.concatenate(out), np.concatenate(gold))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--task", choices=["mrpc", "cola", "rte", "stsb", "mnli"], default="mrpc")
    parser.add_argument("--model", default="roberta-base")
    parser.add_argument("--r", type=int, default=8)
    parser.add_argument("--alpha", type=int, default=8)
    parser.add_argument("--max-length", type=int, default=512)
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--lr", type=float, default=4e-4)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()

    set_seed(args.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    tokenizer = AutoTokenizer.from_pretrained(args.model)
    train_loader, dev_loader = make_loaders(
        args.task, tokenizer, args.batch_size, args.max_length
    )
    model = build_model(args).to(device)
    optimizer = torch.optim.AdamW((p for p in model.parameters() if p.requires_grad), lr=args.lr)

    history = []
    for epoch in range(args.epochs):
        model.train()
        for enc, y in train_loader:
            logits = model(**enc.to(device)).logits
            y = y.to(device)
            if args.task == "stsb":
                loss = F.mse_loss(logits[:, 0], y)
            else:
                loss = F.cross_entropy(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        history.append(evaluate(model, dev_loader, args.task, device))
        print(f"epoch {epoch}: {history[-1]:.4f}")

    result = {"task": args.task, "seed": args.seed, "score": max(history)}
    with open(f"{args.task}.json", "w") as f:
        json.dump(result, f)


if __name__ == "__main__":
    main()
