import argparse
import json
from pathlib import Path

import numpy as np
import torch
import yaml
from transformers import (
    AutoModelForSequenceClassification,
    AutoTokenizer,
    get_linear_schedule_with_warmup,
    set_seed,
)

import metrics
from data import get_loaders, num_outputs
from lora import LoRALayer, add_lora, freeze_base, lora_state_dict

FROM_MNLI = {"mrpc", "rte", "stsb"}
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def prepare_model(task, conf, method, ckpt_dir):
    model = AutoModelForSequenceClassification.from_pretrained(
        conf["model"], num_labels=num_outputs(task)
    )
    if method == "lora":
        add_lora(model, conf["lora"])
        freeze_base(model)
        ckpt = ckpt_dir / "mnli.pt"
        if task in FROM_MNLI and ckpt.exists():
            model.load_state_dict(torch.load(ckpt), strict=False)
    return model.to(device)


@torch.no_grad()
def evaluate(model, task, loader):
    model.eval()
    logits, refs = [], []
    for batch in loader:
        refs.append(batch["labels"].numpy())
        logits.append(model(**batch.to(device)).logits.cpu().numpy())
    return float(metrics.compute(task, np.concatenate(logits), np.concatenate(refs)))


def run_task(task, conf, method, ckpt_dir):
    batch_size, epochs, lr = conf["tasks"][task]
    if method == "ft":
        lr = 2e-5
    set_seed(conf["train"]["seed"])
    tokenizer = AutoTokenizer.from_pretrained(conf["model"])
    train, valid = get_loaders(task, tokenizer, batch_size, conf["train"]["max_seq_length"])
    model = prepare_model(task, conf, method, ckpt_dir)

    params = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(params, lr=lr)
    total = len(train) * epochs
    scheduler = get_linear_schedule_with_warmup(
        optimizer,
        num_warmup_steps=int(conf["train"]["warmup_ratio"] * len(train)),
        num_training_steps=total,
    )
    for epoch in range(epochs):
        model.train()
        for batch in train:
            loss = model(**batch.to(device)).loss
            loss.backward()
            optimizer.step()
            scheduler.step()
            optimizer.zero_grad()
        print(f"[{task}] epoch {epoch + 1}/{epochs} loss {loss.item():.4f}")

    result = evaluate(model, task, valid)
    if method == "lora":
        torch.save(lora_state_dict(model), ckpt_dir / f"{task}.pt")
        for module in model.modules():
            if isinstance(module, LoRALayer):
                module.merge()
        torch.save(model.state_dict(), ckpt_dir / f"{task}_merged.pt")
    return result


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--conf", default="conf/roberta_base.yaml")
    parser.add_argument("--method", choices=["lora", "ft"], default="lora")
    parser.add_argument("--rank-study", action="store_true")
    args = parser.parse_args()
    conf = yaml.safe_load(Path(args.conf).read_text())
    ckpt_dir = Path(conf["checkpoints"])
    ckpt_dir.mkdir(exist_ok=True)

    results = {}
    if args.rank_study:
        for r in conf["train"]["ranks"]:
            conf["lora"]["r"] = r
            results[f"r={r}"] = run_task("cola", conf, "lora", ckpt_dir)
    else:
        for task in conf["tasks"]:
            results[task] = run_task(task, conf, args.method, ckpt_dir)
            print(task, results[task])
    Path(f"results_{args.method}.json").write_text(json.dumps(results, indent=2))


if __name__ == "__main__":
    main()
