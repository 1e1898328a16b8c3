import argparse
import json
from pathlib import Path

import sacrebleu
import torch
from tokenizers import Tokenizer

from .train import read
from .transformer import Transformer


def average_checkpoints(paths):
    total = None
    for path in paths:
        state = torch.load(path, map_location="cpu")
        if total is None:
            total = {k: v.clone() for k, v in state.items()}
        else:
            for k, v in state.items():
                total[k] += v
    return {k: v / len(paths) for k, v in total.items()}


@torch.no_grad()
def translate(model, src, beam, lenpen):
    limit = src.size(1) + 50
    memory, mask = model.encode(src)
    beams, finished = [(0.0, [1])], []
    for _ in range(limit):
        candidates = []
        for logp, tokens in beams:
            out = model.decode(torch.tensor([tokens], device=src.device), memory, mask)
            values, ids = out[0, -1].log_softmax(-1).topk(beam)
            candidates += [
                (logp + v, tokens + [i]) for v, i in zip(values.tolist(), ids.tolist())
            ]
        candidates.sort(reverse=True)
        beams = []
        for logp, tokens in candidates[:beam]:
            if tokens[-1] == 2:
                finished.append((logp / ((5 + len(tokens)) / 6) ** lenpen, tokens))
            else:
                beams.append((logp, tokens))
        if len(finished) >= beam or not beams:
            break
    _, best = max(finished or beams)
    return [t for t in best if t > 2]


def main():
    p = argparse.ArgumentParser()
    p.add_argument("--data", required=True)
    p.add_argument("--save", required=True)
    p.add_argument("--beam", type=int, default=4)
    p.add_argument("--lenpen", type=float, default=0.6)
    p.add_argument("--last", type=int, default=5)
    args = p.parse_args()

    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    config = json.loads(Path(args.save, "config.json").read_text())
    model = Transformer(**config).to(device)
    checkpoints = sorted(Path(args.save).glob("step*.pt"))[-args.last :]
    model.load_state_dict(average_checkpoints(checkpoints))
    model.eval()

    tokenizer = Tokenizer.from_file(str(Path(args.data, "bpe.json")))
    hypotheses, references = [], []
    for row in read(Path(args.data, "test.jsonl")):
        src = torch.tensor([row["src"]], device=device)
        ids = translate(model, src, args.beam, args.lenpen)
        hypotheses.append(tokenizer.decode(ids))
        references.append(row["ref"])
    print(sacrebleu.corpus_bleu(hypotheses, [references]))


if __name__ == "__main__":
    main()
