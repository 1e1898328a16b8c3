"""What semble, a code search from PyPI, ranks for queries; a rival for the retrieval benchmark.

    pip install semble==0.7.0 wordllama==0.4.0.post1     # in an environment of their own
    python tests/benchmarks/semble_ranks.py --queries queries.jsonl --repos repos --out ranked.jsonl
    python -m benchmark retrieval ... --ranked semble=ranked.jsonl

semble wants weights from a model hub. Without them it runs here with the static vectors that come
inside of WordLlama, or, with `--lexical`, by its BM25 and reranking alone. It is told to index
code, configuration and documents. Needs nothing of this project, and runs outside of it.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from pathlib import Path
from typing import Any


def static_model() -> Any:
    """WordLlama's token vectors as a model of `model2vec`."""
    import wordllama
    from model2vec import StaticModel
    from safetensors.numpy import load_file
    from tokenizers import Tokenizer

    folder = Path(wordllama.__file__).parent
    (vectors,) = load_file(folder / "weights" / "l2_supercat_256.safetensors").values()
    tokenizer = Tokenizer.from_file(
        str(folder / "tokenizers" / "l2_supercat_tokenizer_config.json")
    )
    return StaticModel(vectors.astype("float32"), tokenizer)


def main() -> None:
    """Rank, and write a line a query."""
    from semble.index import SembleIndex
    from semble.index.index import _build
    from semble.types import ContentType

    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    for name in ("queries", "repos", "out"):
        parser.add_argument(f"--{name}", type=Path, required=True)
    parser.add_argument("--lexical", action="store_true")
    parser.add_argument("--most", type=int, default=200, help="chunks a query")
    options = parser.parse_args()
    queries: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for line in options.queries.read_text(encoding="utf-8").splitlines():
        query = json.loads(line)
        queries[query["repo"]].append(query)
    model = static_model()
    with options.out.open("w", encoding="utf-8") as out:
        for repo in sorted(queries):
            index: SembleIndex = _build(
                (options.repos / repo).resolve(), model, "local", tuple(ContentType), False
            )
            for query in queries[repo]:
                alpha = 0.0 if options.lexical else None
                found = index.search(query["query"], top_k=options.most, alpha=alpha)
                spans = [
                    [one.chunk.file_path, one.chunk.start_line, one.chunk.end_line] for one in found
                ]
                out.write(json.dumps({"query": query["id"], "spans": spans}) + "\n")


if __name__ == "__main__":
    main()
