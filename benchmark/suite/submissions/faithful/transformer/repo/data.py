"""WMT 2014 En-De with one BPE vocabulary for both languages."""

import random

import sentencepiece as spm
import torch
import yaml
from datasets import load_dataset

PAD, BOS, EOS = 0, 1, 2


def pairs(split):
    for row in load_dataset("wmt14", "de-en", split=split):
        yield row["translation"]["en"], row["translation"]["de"]


def learn(vocab):
    lines = (line for pair in pairs("train") for line in pair)
    spm.SentencePieceTrainer.train(
        sentence_iterator=lines, model_prefix="bpe", vocab_size=vocab, model_type="bpe",
        pad_id=PAD, bos_id=BOS, eos_id=EOS, unk_id=3, input_sentence_size=5_000_000,
        shuffle_input_sentence=True,
    )


def encode_train():
    sp = spm.SentencePieceProcessor(model_file="bpe.model")
    rows = [(sp.encode(en) + [EOS], [BOS] + sp.encode(de) + [EOS]) for en, de in pairs("train")]
    torch.save([r for r in rows if len(r[0]) < 200 and len(r[1]) < 200], "train.pt")


def batches(rows, tokens):
    """Endless batches of similar lengths with at most `tokens` tokens on either side."""
    rows = sorted(rows, key=lambda r: (len(r[1]), len(r[0])))
    groups, group, src, tgt = [], [], 0, 0
    for row in rows:
        if group and (src + len(row[0]) > tokens or tgt + len(row[1]) > tokens):
            groups.append(group)
            group, src, tgt = [], 0, 0
        group.append(row)
        src, tgt = src + len(row[0]), tgt + len(row[1])
    groups.append(group)
    while True:
        random.shuffle(groups)
        for g in groups:
            yield tuple(
                torch.nn.utils.rnn.pad_sequence([torch.tensor(r[i]) for r in g], True, PAD)
                for i in (0, 1)
            )


if __name__ == "__main__":
    with open("config.yaml") as f:
        learn(yaml.safe_load(f)["data"]["vocab"])
    encode_train()
