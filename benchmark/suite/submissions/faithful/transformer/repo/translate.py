"""Average the last checkpoints, decode newstest2014 and compute BLEU."""

from pathlib import Path

import sacrebleu
import sentencepiece as spm
import torch
import yaml

from data import BOS, EOS, pairs
from model import Transformer


def average(paths):
    states = [torch.load(p, map_location="cpu") for p in paths]
    return {k: sum(s[k] for s in states) / len(states) for k in states[0]}


@torch.no_grad()
def beam_search(model, src, beam, alpha, longest):
    memory, mask = model.encode(src)
    live, done = [([BOS], 0.0)], []
    for _ in range(longest):
        tgt = torch.tensor([ids for ids, _ in live], device=src.device)
        k = len(live)
        logp = model.decode(tgt, memory.expand(k, -1, -1), mask.expand(k, -1, -1, -1))
        logp = logp[:, -1].log_softmax(-1)
        grown = []
        for (ids, total), row in zip(live, logp):
            for value, token in zip(*(x.tolist() for x in row.topk(beam))):
                grown.append((ids + [token], total + value))
        grown.sort(key=lambda c: -c[1])
        live = []
        for ids, total in grown[:beam]:
            if ids[-1] == EOS:
                done.append((ids, total / ((5 + len(ids)) / 6) ** alpha))
            else:
                live.append((ids, total))
        if len(done) >= beam or not live:
            break
    best = max(done, key=lambda c: c[1])[0] if done else live[0][0]
    return [i for i in best if i not in (BOS, EOS)]


def main():
    with open("config.yaml") as f:
        cfg = yaml.safe_load(f)
    d = cfg["decode"]
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = Transformer(cfg["data"]["vocab"], **cfg["model"]).to(device)
    model.load_state_dict(average(sorted(Path("ckpt").glob("*.pt"))[-d["average_last"]:]))
    model.eval()
    sp = spm.SentencePieceProcessor(model_file="bpe.model")
    guesses, references = [], []
    for en, de in pairs("test"):
        src = torch.tensor([sp.encode(en) + [EOS]], device=device)
        ids = beam_search(model, src, d["beam"], d["length_penalty"], d["max_length"])
        guesses.append(sp.decode(ids))
        references.append(de)
    print(sacrebleu.corpus_bleu(guesses, [references]))


if __name__ == "__main__":
    main()
