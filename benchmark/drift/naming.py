"""Identifiers in words, for claims that a person could have written, and what a name is about."""

from __future__ import annotations

import re

__all__ = ["about", "first_words", "noise", "place", "speaking", "words"]

_PARTS = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+(?:\d+[a-z]*)?|[A-Z]+\d*|\d+[a-z]*")
_LONG = {
    "lr": "learning rate",
    "eps": "epsilon",
    "wd": "weight decay",
    "bs": "batch size",
    "dim": "dimension",
    "dims": "dimensions",
    "num": "number of",
    "n": "number of",
    "coef": "coefficient",
    "coeff": "coefficient",
    "temp": "temperature",
    "iters": "iterations",
    "std": "standard deviation",
    "max": "maximum",
    "min": "minimum",
    "hid": "hidden",
    "emb": "embedding",
    "embed": "embedding",
    "opt": "optimizer",
    "reg": "regularisation",
    "val": "validation",
    "init": "initial",
    "lam": "lambda",
    "len": "length",
    "grad": "gradient",
    "norm": "norm",
}
_ABOUT = {
    "fold": r"n_?splits|folds?\b|k_?fold",
    "ratio": r"test_?size|train_?size|val_?size|_ratio|split|_frac(tion)?\b",
    "seed": r"(num|n)_?(seeds|runs|trials|repeats|repetitions)|\b(trials|repeats|repetitions)\b",
    "schedule": r"epoch|steps?\b|iter|warm_?up|episode|rounds|patience|burn",
    "threshold": r"\beps|epsilon|clip|thresh|\btau|\btol|margin|delta|max_grad|max_norm",
    "dimension": r"dim|hidden|width|channel|layers?|heads?|depth|embed|units|rank|blocks|kernel"
    r"|_size\b|length|horizon|capacity|d_model|d_ff|neurons|features",
    "coefficient": r"\blr|rate|weight|coef|lambda|lam\b|beta|gamma|alpha|decay|temp|momentum"
    r"|dropout|scale|sigma|\bmu\b|discount|factor|strength|noise|std\b|prob|\bp\b|ema",
}
_NOISE = re.compile(
    r"port|version|verbose|worker|figsize|dpi|font|width_px|log_|_log|print|save|\bindent|debug"
    r"|line_?width|marker|color|\bax|seed\b|device|thread|timeout|interval|cache|cpu|gpu|mem"
    r"|display|plot|year|\bid\b|num_proc|prefetch|precision|digits|ncols|nrows|\bcol|\brow|index"
    r"|level|every|freq|\baxis|\bdim\b|stacklevel|\bmaxlen|retries|\breturn",
    re.IGNORECASE,
)


def words(name: str) -> str:
    """A name in words: `num_hidden_layers` is `number of hidden layers`."""
    parts = [part.lower() for part in _PARTS.findall(name)]
    return " ".join(_LONG.get(part, part) for part in parts) or name


# Names that say nothing of what is done, and what papers call what code abbreviates.
_SAYS_NOTHING = re.compile(
    r"self|items?|data|the|torch|steps?|set|get|run|main|args|kwargs|config|cfg|values?|results?"
    r"|outputs?|inputs?|obj|func|call|out|te?mp|index|iter|num|number|of|true|false|none|and|not"
    r"|list|dict|append|forward|init|cpu|cuda|device"
)
_SPOKEN = {
    "opt": r"optimi[sz]|gradient|update|train",
    "optim": r"optimi[sz]|gradient|update|train",
    "optimizer": r"optimi[sz]|gradient|update|train",
    "sched": r"schedul|learning rate|warm|decay|anneal",
    "scheduler": r"schedul|learning rate|warm|decay|anneal",
    "schedule": r"schedul|learning rate|warm|decay|anneal",
    "ema": r"average|\bema\b|target",
    "lr": r"learning rate|\blr\b|step size",
    "backward": r"gradient|backprop|backward|loss",
    "loss": r"loss|objective|minimi[sz]",
    "acc": r"accura",
    "err": r"error",
    "error": r"error|loss|difference",
    "val": r"valid",
    "adv": r"advantage",
    "eval": r"evaluat|test|accura|measure",
}


def speaking(code: str) -> str:
    """A pattern of the claims that speak of something which a piece of code names.

    It matches no claim where the code names nothing that a claim could speak of.
    """
    parts = dict.fromkeys(part.lower() for part in _PARTS.findall(code))
    patterns = []
    for part in parts:
        if part in _SPOKEN:
            patterns.append(_SPOKEN[part])
        elif len(part) > 2 and not part[0].isdigit() and not _SAYS_NOTHING.fullmatch(part):
            patterns.append(rf"\b{re.escape(_LONG.get(part, part)[:5])}")
    return "|".join(patterns) or r"(?!)"


def first_words(text: str, limit: int = 90) -> str:
    """Code on one line, cut to a length that a claim can bear."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1].rstrip() + "…"


def about(name: str) -> str:
    """What kind of setting a name is: `coefficient`, `dimension`, ...; empty if none is known."""
    lower = name.lower()
    for kind, pattern in _ABOUT.items():
        if re.search(pattern, lower):
            return kind
    return ""


def noise(name: str) -> bool:
    """Whether a name is of something that no paper speaks of."""
    return bool(_NOISE.search(name))


def place(scope: str, path: str) -> str:
    """Where code stands, in words: `layer norm (LayerNorm.__init__)`, or the script's path."""
    if not scope:
        return f"the script {path}"
    parts = scope.split(".")
    name = parts[-2] if parts[-1].startswith("__") and len(parts) > 1 else parts[-1]
    spoken = words(name)
    return scope if spoken == scope else f"{spoken} ({scope})"
