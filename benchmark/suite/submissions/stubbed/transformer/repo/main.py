from pathlib import Path

from transformer.config import TransformerConfig
from transformer.inference import average_checkpoints, bleu_newstest2014
from transformer.training import train


def main() -> None:
    cfg = TransformerConfig()
    checkpoints = train(cfg, Path("checkpoints"))
    state = average_checkpoints(checkpoints[-5:])
    print(f"BLEU {bleu_newstest2014(state):.1f}")


if __name__ == "__main__":
    main()
