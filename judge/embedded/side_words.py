"""The words of a side of a stated order, and what code calls the deeds that they name."""

from __future__ import annotations

import re
from functools import lru_cache

from judge.embedded.sides import Sides
from judge.embedded.words import EXPOSITORY, STOP
from retrieval.aliases import aliases_of
from retrieval.words import TOKEN, join, join_parts, parts_of, stem

__all__ = ["VERBS", "Said", "own_words", "plain", "words_of"]

Said = dict[str, tuple[tuple[str, ...], float]]
"""Words by stem: the terms of code that say each, and what it weighs."""


def plain(term: str) -> str:
    """One spelling for `normalise` and `normalize`."""
    return term[:-2] + "iz" if term.endswith("is") and len(term) > 5 else term


# A word of a claim, and what code calls it.
_DEEDS = """
clip clamp | update step optimizer opt | train fit learn | retrain train fit | pretrain train fit
evaluate eval test | assess eval evaluate run | measure eval evaluate compute | draw sample rand
randn randint choice permutation | sample rand randn randint choice sampler | normalise normalize
norm ln layernorm | normalisation normalization norm ln layernorm rmsnorm | project proj | shuffle
permutation permute perm | split split divide | divide split | freeze frozen requiresgrad eval
| aggregate agg aggregation pool | aggregation agg aggregate pool | activation act gelu relu silu
| nonlinearity act gelu relu silu activation | upsample interpolate up upsampling | upsampling
interpolate upsample up | optimise optimize minimize step | optimisation optimize optimizer
optimization fit | autoencoder vae ae tokenizer | tokenizer vqvae vae | discriminator disc
| inject randn noise add | predict pred forward model | project proj projection | finetune sft
| standardise normalize standardize scaler | restore load loadstatedict | reload load loadstatedict
| write save dump | checkpoint save | collect rollout gather | rotary rope rotate | zero zerograd
| denoise sample denoising | denoised denoise sample | cache kvcache append | record append log
| tokenise tokenize tokenizer encode | lift lifting fc0 | encode encoder embed | build make create
| gate gating sigmoid | quantise quantize quant quantizer vq | residual shortcut | compute calc
| calibrate calibration fit | extract extractor get | add added append | weight weights | deed act
| velocity vel v | reveal unmask | mask masked masking | crop randomresizedcrop | enter append add
| repeat repeatinterleave expand | score scores matmul softmax | retrieve get | generation generate
sample | dropout drop | mlp ffn feedforward ff | fourier spectral fno | spectral fourier
| average mean avg | mean average | expert moe | backward backprop | sum add
| embed embedding emb embeddings
| simulate simulation attack | recompute compute update | reinitialise init reset | decide reward
| sft finetune supervised | rewardmodelling rm rewardmodel reward | ema average shadow
| policyoptimisation ppo policy rl | dpo preference | kv cache key value | move push step
| box boxes | patch patches patchify patchembed | pretraining pretrain | tune train
| posembed pos position
"""
_SAYS: dict[str, tuple[str, ...]] = {}
for _group in _DEEDS.split("|"):
    _first, *_rest = _group.split()
    _key = plain(stem(_first))
    _SAYS[_key] = tuple(dict.fromkeys((*_SAYS.get(_key, ()), *_rest)))

_PHRASES = tuple(
    (re.compile(pattern, re.IGNORECASE), word)
    for pattern, word in (
        (r"\bsupervised fine-?\s?tun\w+|\binstruction tuning\b", "sft"),
        (r"\breward[- ]modell?ing\b|\breward model\b", "rewardmodelling"),
        (r"\bpolicy optimi[sz]ation\b", "policyoptimisation"),
        (r"\bposition(?:al)? (?:encod|embedd)ings?\b", "posembed"),
        (r"\bpreference tuning\b", "dpo"),
        (r"\b(?:exponential )?moving average\b", "ema"),
        (r"\bkeys? and values?\b", "kv"),
        (r"\b(fine|pre|re|top|de|up|down)-(?=[a-z])", r"\1"),
    )
)

# Of words by which a side is spoken of, not told.
_SAID_OF_STEPS = """
apply applied computed compute done take taken takes make made run runs use used come comes act
acts place placed happen happens begin begins start starts started finish finished end ended
fully new fresh initial final first second third phase stage step steps round rounds iteration
epoch update main whole all single both any over again just right entire complete completed
after before time times each every operation
"""
_PALE = frozenset(map(stem, _SAID_OF_STEPS.split()))

_DONE_BY_CODE = """
clip update train learn retrain pretrain evaluate assess measure draw sample normalise project
shuffle split divide freeze frozen aggregate upsample optimise inject predict finetune restore
reload load write save collect zero denoise cache record append tokenise lift encode build create
quantise calibrate extract add simulate tune identify vote reveal mask repeat
"""
VERBS = frozenset(plain(stem(word)) for word in _DONE_BY_CODE.split())
"""Stems of deeds that a line must call to be the place of a side that names one."""

_PALE_WEIGHT = 0.25  # what such a word counts
_PRONOUN = re.compile(r"\s*(?:they|it|them|the result|its)\b", re.IGNORECASE)
_DONE = re.compile(r"\b(?:is|are|was|were|gets?)\s+(?:\w+\s+)?\w+(?:ed|en|wn|ept|ozen|un|uilt)\b")
_FEW = 6  # words of a side that leaves its deed out


def own_words(sides: Sides) -> tuple[Said, Said]:
    """The words by which the two sides differ.

    What one side says by a pronoun, or leaves out, is of both: `samples are shuffled before they
    are split`, `the critic is updated before the actor`.
    """
    first, second = words_of(sides.first), words_of(sides.second)
    one = {k: v for k, v in first.items() if k not in second}
    other = {k: v for k, v in second.items() if k not in first}
    if _PRONOUN.match(sides.second):
        one = {k: v for k, v in one.items() if k in _SAYS} or one
    elif _PRONOUN.match(sides.first):
        other = {k: v for k, v in other.items() if k in _SAYS} or other
    elif one and other:
        _share_deed(one, other, sides.first, sides.second)
        _share_deed(other, one, sides.second, sides.first)
    return one, other


def _share_deed(mine: Said, yours: Said, text: str, other: str) -> None:
    """Take the deed from a side's own words where the other side leaves it out."""
    if _DONE.search(text) and not _DONE.search(other) and len(other.split()) <= _FEW:
        left = {k: v for k, v in mine.items() if k not in VERBS}
        if left and not any(k in VERBS for k in yours):
            mine.clear()
            mine.update(left)


@lru_cache(maxsize=4096)
def words_of(text: str) -> dict[str, tuple[tuple[str, ...], float]]:
    """The words of a side: by stem the terms of code that say it, and what it weighs."""
    found: dict[str, tuple[tuple[str, ...], float]] = {}
    for pattern, word in _PHRASES:
        text = pattern.sub(word, text)
    for match in TOKEN.finditer(text):
        token = match[0]
        parts = list(parts_of(token))
        if not parts or token[0] in "0123456789." or token.lower() in STOP:
            continue
        whole = join_parts(parts)
        if len(whole) < 2:
            continue
        weight = _PALE_WEIGHT if whole in _PALE or whole in EXPOSITORY else 1.0
        says = tuple(t for word in _SAYS.get(plain(whole), ()) for t in (join(word), stem(word)))
        terms = (whole, plain(whole), *aliases_of(whole), *aliases_of(plain(whole)), *says)
        found.setdefault(
            plain(whole), ((*terms[:2], *dict.fromkeys(t for t in terms[2:] if t)), weight)
        )
    return found
