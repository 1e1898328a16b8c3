from datasets import load_dataset
from torch.utils.data import DataLoader
from transformers import DataCollatorWithPadding

FIELDS = {
    "mrpc": ("sentence1", "sentence2"),
    "cola": ("sentence",),
    "rte": ("sentence1", "sentence2"),
    "stsb": ("sentence1", "sentence2"),
    "mnli": ("premise", "hypothesis"),
}


def num_outputs(task):
    return {"mnli": 3, "stsb": 1}.get(task, 2)


def get_loaders(task, tokenizer, batch_size, max_seq_length):
    raw = load_dataset("glue", task)
    fields = FIELDS[task]

    def encode(batch):
        return tokenizer(*(batch[f] for f in fields), truncation=True, max_length=max_seq_length)

    columns = list(fields) + ["idx"]
    tokenized = raw.map(encode, batched=True, remove_columns=columns)
    collate = DataCollatorWithPadding(tokenizer)
    valid = "validation_matched" if task == "mnli" else "validation"
    return (
        DataLoader(tokenized["train"], batch_size=batch_size, shuffle=True, collate_fn=collate),
        DataLoader(tokenized[valid], batch_size=64, collate_fn=collate),
    )
