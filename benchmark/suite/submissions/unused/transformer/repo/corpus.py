from collections import Counter

import torch
from datasets import load_dataset
from torch.nn.utils.rnn import pad_sequence

SPECIAL = ["<pad>", "<s>", "</s>", "<unk>"]


class Corpus:
    """English-German captions, split at spaces."""

    def __init__(self):
        self.data = load_dataset("bentrevett/multi30k")
        counts = Counter(
            w for r in self.data["train"] for w in (r["en"] + " " + r["de"]).lower().split()
        )
        self.words = SPECIAL + [w for w, n in counts.most_common() if n > 1]
        self.index = {w: i for i, w in enumerate(self.words)}

    def ids(self, text):
        return [1] + [self.index.get(w, 3) for w in text.lower().split()] + [2]

    def text(self, ids):
        return " ".join(self.words[i] for i in ids if i > 2)

    def batches(self, size):
        order = torch.randperm(len(self.data["train"])).tolist()
        for i in range(0, len(order), size):
            rows = [self.data["train"][j] for j in order[i : i + size]]
            yield tuple(
                pad_sequence([torch.tensor(self.ids(r[side])) for r in rows], batch_first=True)
                for side in ("en", "de")
            )
