import argparse
import json
from pathlib import Path

from datasets import load_dataset
from tokenizers import Tokenizer, decoders, models, pre_tokenizers, trainers


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", required=True)
    parser.add_argument("--vocab-size", type=int, default=37000)
    args = parser.parse_args()
    out = Path(args.out)
    out.mkdir(parents=True, exist_ok=True)

    wmt = load_dataset("wmt14", "de-en")
    tokenizer = Tokenizer(models.BPE(unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.BpeTrainer(
        vocab_size=args.vocab_size, special_tokens=["<pad>", "<s>", "</s>", "<unk>"]
    )
    both = (row["translation"][side] for row in wmt["train"] for side in ("en", "de"))
    tokenizer.train_from_iterator(both, trainer)
    tokenizer.save(str(out / "bpe.json"))

    for split in ("train", "validation", "test"):
        with open(out / f"{split}.jsonl", "w", encoding="utf-8") as f:
            for row in wmt[split]:
                pair = row["translation"]
                src = tokenizer.encode(pair["en"]).ids[:255] + [2]
                tgt = [1] + tokenizer.encode(pair["de"]).ids[:254] + [2]
                f.write(json.dumps({"src": src, "tgt": tgt, "ref": pair["de"]}) + "\n")


if __name__ == "__main__":
    main()
