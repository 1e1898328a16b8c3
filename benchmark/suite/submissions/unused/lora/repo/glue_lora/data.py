import torch
from datasets import load_dataset
from torch.utils.data import DataLoader

COLUMNS = {
    "mrpc": ("sentence1", "sentence2"),
    "rte": ("sentence1", "sentence2"),
    "stsb": ("sentence1", "sentence2"),
    "cola": ("sentence", None),
    "mnli": ("premise", "hypothesis"),
}


def make_loaders(task, tokenizer, batch_size, max_length):
    left, right = COLUMNS[task]

    def collate(items):
        pairs = [[x[left] for x in items]] + ([[x[right] for x in items]] if right else [])
        enc = tokenizer(
            *pairs, padding=True, truncation=True, max_length=max_length, return_tensors="pt"
        )
        y = torch.tensor([x["label"] for x in items])
        return enc, y.float() if task == "stsb" else y

    data = load_dataset("glue", task)
    dev = data["validation_matched" if task == "mnli" else "validation"]
    return (
        DataLoader(data["train"], batch_size, shuffle=True, collate_fn=collate),
        DataLoader(dev, 32, collate_fn=collate),
    )
