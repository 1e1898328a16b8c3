import torch
from datasets import load_dataset
from scipy.stats import pearsonr
from sklearn.metrics import accuracy_score, matthews_corrcoef
from torch.utils.data import DataLoader


def loaders(task, tokenizer, max_length):
    data = load_dataset("glue", task.name)

    def collate(rows):
        texts = [[row[c] for row in rows] for c in task.columns]
        batch = tokenizer(*texts, truncation=True, max_length=max_length,
                          padding=True, return_tensors="pt")
        kind = torch.float if task.labels == 1 else torch.long
        batch["labels"] = torch.tensor([row["label"] for row in rows], dtype=kind)
        return batch

    train = DataLoader(data["train"], task.batch_size, shuffle=True, collate_fn=collate)
    valid = DataLoader(data[task.validation], 64, collate_fn=collate)
    return train, valid


def score(task, logits, targets):
    if task.metric == "pearson":
        return pearsonr(logits.squeeze(-1), targets)[0]
    guess = logits.argmax(-1)
    if task.metric == "matthews":
        return matthews_corrcoef(targets, guess)
    return accuracy_score(targets, guess)
