"""A library's default counts as a value that is stated, for a claim and against it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import Level
from judge.embedded.default_table import DEFAULTS, SPOKEN
from judge.embedded.defaults import defaults_of
from judge.embedded.parts import claim_of
from judge.embedded.stated import stated_in
from judge.embedded.survey import survey_of
from judge.verdict import QuoteState
from tests.judge.embedded_cases import answer_text, index_of, judged, sau


def _program(imports: str, made: str, more: str = "") -> str:
    """A training script that makes an optimiser (`optimizer`) and uses it."""
    return f"""
import torch
from torch import nn
{imports}
{more}


def main():
    model = nn.Linear(2, 2)
    {made}
    for _ in range(10):
        loss = model(torch.rand(3, 2)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()


if __name__ == "__main__":
    main()
"""


ADAMW = _program("from torch import optim", "optimizer = optim.AdamW(model.parameters(), lr=1e-4)")
LINE = ADAMW.splitlines().index("    optimizer = optim.AdamW(model.parameters(), lr=1e-4)") + 1


def _level(root: Path, code: str, claim: str) -> Level | None:
    return judged(index_of(root, {"main.py": code}), sau(claim))[0].level


def _keys(root: Path, code: str) -> set[str]:
    """The keys of which a repository's defaults speak."""
    defaults = defaults_of(survey_of(index_of(root, {"main.py": code})))
    return {key for key in SPOKEN if defaults.has(key)}


# ---- for and against -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    "claim",
    [
        "Weight decay is 0.01.",
        "AdamW with a weight decay of 0.01.",
        "The second beta is 0.999.",
        "Adam betas are 0.9 and 0.999.",
    ],
)
def test_a_default_that_is_the_claimed_value_counts_as_stated(tmp_path: Path, claim: str) -> None:
    parsed, checked = judged(index_of(tmp_path, {"main.py": ADAMW}), sau(claim))
    assert parsed.level is not None
    assert parsed.level >= Level.MINOR
    assert "is the library's default of" in parsed.rationale
    assert f"`optim.AdamW` at main.py:{LINE}" in parsed.rationale
    assert [c.first for c in checked.citations] == [LINE]
    assert checked.citations[0].state is QuoteState.VERIFIED


@pytest.mark.parametrize(
    ("claim", "said"),
    [
        ("Weight decay is 0.1.", "default weight decay of `optim.AdamW` is 0.01"),
        ("AdamW uses a weight decay of 0.1.", "default weight decay of `optim.AdamW` is 0.01"),
        ("AdamW with betas of 0.9 and 0.95.", "default beta2 of `optim.AdamW` is 0.999"),
        ("AdamW with beta1 = 0.5.", "default beta1 of `optim.AdamW` is 0.9"),
        ("AdamW has an epsilon of 1e-6.", "default eps of `optim.AdamW` is 1e-8"),
    ],
)
def test_another_default_contradicts_and_is_told(tmp_path: Path, claim: str, said: str) -> None:
    parsed, checked = judged(index_of(tmp_path, {"main.py": ADAMW}), sau(claim))
    assert parsed.level is not None
    assert parsed.level <= Level.PARTIAL
    assert f"{said}, at main.py:{LINE}; the claim says" in parsed.rationale
    assert "ibrary's" in parsed.rationale
    assert checked.citations[0].first == LINE


def test_the_quoted_line_is_the_calls_line_as_it_is(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"main.py": ADAMW})
    record = json.loads(answer_text(index, sau("Weight decay is 0.1.")))
    assert record["citations"][0]["quote"] == ADAMW.splitlines()[LINE - 1]


# ---- what is written wins ------------------------------------------------------------------------


@pytest.mark.parametrize(
    "made",
    [
        "optimizer = optim.AdamW(model.parameters(), lr=1e-4, weight_decay=decay())",
        "optimizer = optim.AdamW(model.parameters(), 1e-4, (0.9, 0.99), 1e-8, decay())",
        "optimizer = optim.AdamW(model.parameters(), **kwargs())",
        "groups = [{'params': model.parameters(), 'weight_decay': decay()}]\n"
        "    optimizer = optim.AdamW(groups, lr=1e-4)",
        "optimizer = optim.AdamW([{'params': model.parameters(), 'weight_decay': decay()}])",
        "optimizer = optim.AdamW(make_groups(model), lr=1e-4)",
        "optimizer = optim.AdamW(model.parameters(), lr=1e-4)\n"
        "    optimizer.param_groups[0]['weight_decay'] = decay()",
    ],
)
def test_a_parameter_that_is_given_has_no_default(tmp_path: Path, made: str) -> None:
    code = _program("from torch import optim\nfrom mine import decay, kwargs, make_groups", made)
    assert "weight_decay" not in _keys(tmp_path, code)


def test_a_value_written_elsewhere_under_the_name_wins(tmp_path: Path) -> None:
    code = ADAMW.replace(
        "loss = model(torch.rand(3, 2)).sum()",
        "weight_decay = 0.3\n        loss = model(torch.rand(3, 2)).sum()"
        " + weight_decay * model.weight.norm()",
    )
    assert "weight_decay" not in _keys(tmp_path, code)


def test_groups_are_no_default_for_a_claim_that_names_the_call(tmp_path: Path) -> None:
    groups = "groups = [{'params': model.parameters(), 'weight_decay': 0.2}]\n    "
    made = groups + "optimizer = optim.AdamW(groups, lr=1e-4)"
    code = _program("from torch import optim", made)
    parsed, _ = judged(index_of(tmp_path, {"main.py": code}), sau("AdamW, weight decay of 0.01."))
    assert "library's default of weight_decay" not in parsed.rationale


# ---- which calls and which claims ----------------------------------------------------------------


@pytest.mark.parametrize(
    ("imports", "made", "known"),
    [
        ("import torch.optim as opt", "optimizer = opt.AdamW(model.parameters())", True),
        ("from torch.optim import AdamW as A", "optimizer = A(model.parameters())", False),
        ("from torch.optim import AdamW", "optimizer = AdamW(model.parameters())", True),
        ("", "optimizer = torch.optim.AdamW(model.parameters())", True),
        ("from mine import AdamW", "optimizer = AdamW(model.parameters())", False),
        ("from .optim import AdamW", "optimizer = AdamW(model.parameters())", False),
        ("", "optimizer = AdamW(model.parameters())", False),
    ],
)
def test_a_call_is_the_librarys_by_its_imports(
    tmp_path: Path, imports: str, made: str, known: bool
) -> None:
    assert ("weight_decay" in _keys(tmp_path, _program(imports, made))) is known


def test_calls_that_do_not_act_have_no_default(tmp_path: Path) -> None:
    dead = ADAMW.replace('if __name__ == "__main__":\n    main()', "print(1)").replace(
        "def main", "def unused"
    )
    files = {"main.py": "print('nothing')\n", "other.py": dead.replace("print(1)", "")}
    assert not defaults_of(survey_of(index_of(tmp_path / "dead", files)))
    dropped = ADAMW.replace("optimizer = optim.AdamW", "optim.AdamW")
    assert not _keys(tmp_path / "dropped", dropped)


def test_a_dropout_is_not_read_off_a_layer_norm(tmp_path: Path) -> None:
    code = ADAMW.replace("nn.Linear(2, 2)", "nn.Sequential(nn.Linear(2, 2), nn.LayerNorm(2))")
    assert "layer_norm_eps" in _keys(tmp_path, code)
    for claim in ("Dropout is 0.1.", "Dropout is 1e-5.", "The margin is 1e-5."):
        assert _level(tmp_path / claim[-4:], code, claim) == Level.ABSENT


def test_a_default_of_a_layer_counts_too(tmp_path: Path) -> None:
    code = ADAMW.replace("nn.Linear(2, 2)", "nn.Sequential(nn.Linear(2, 2), nn.LeakyReLU())")
    claim = "The leaky activation has a negative slope of 0."
    same, other = tmp_path / "same", tmp_path / "other"
    assert (_level(same, code, f"{claim}01.") or 0) > (_level(other, code, f"{claim}2.") or 0)
    parsed, _ = judged(index_of(tmp_path / "told", {"main.py": code}), sau(f"{claim}2."))
    assert "default negative slope of `nn.LeakyReLU` is 0.01" in parsed.rationale


def test_a_part_of_a_librarys_layer_is_not_missed(tmp_path: Path) -> None:
    code = ADAMW.replace("nn.Linear(2, 2)", "nn.TransformerEncoderLayer(2, 1)")
    assert (_level(tmp_path / "same", code, "Dropout is 0.1.") or 0) >= Level.MINOR
    assert _level(tmp_path / "other", code, "Dropout is 0.5.") in {Level.FRAGMENT, Level.PARTIAL}


@pytest.mark.parametrize(
    ("claim", "keys"),
    [
        ("The attention dropout is 0.1.", set()),
        ("The KL coefficient beta1 = 0.01 is constant.", set()),
        ("Noise variances rise from beta1 = 1e-4.", set()),
        ("Weight decay is linked to a learning rate of 0.1.", {"lr"}),
        ("Adam (beta1=0.9, beta2=0.95)", {"beta1", "beta2"}),
        ("Adam is run with (β1, β2) = (0.9, 0.95).", {"beta1", "beta2"}),
        ("RMSNorm uses an epsilon of 1e-5.", set()),
        ("LayerNorm uses an epsilon of 1e-5.", {"layer_norm_eps"}),
        ("0.1 weight decay", {"weight_decay"}),
        ("Dropout with probability 0.1", {"dropout"}),
        ("The model is trained for 3 epochs.", {"epochs"}),
        ("Discount factor γ = 0.99", {"discount"}),
        ("LoRA with rank r=8 and dropout 0.05", {"lora_rank", "lora_dropout"}),
        ("Stage 3 takes 3 training epochs of warm-up: 0.1", set()),
        ("Weight decay rises from 0.04 to 0.4", set()),
        ("Weight decay for the flow transformer is 0.1", {"weight_decay"}),
    ],
)
def test_what_a_claim_states_of_parameters(claim: str, keys: set[str]) -> None:
    assert {key for stated in stated_in(claim) for key in stated.keys} == keys


@given(st.text(alphabet="abet1029.,=() weightdecaydropout", max_size=60))
def test_any_text_can_be_asked(text: str) -> None:
    for stated in stated_in(text):
        assert stated.written in text
        assert stated.forms


def test_every_row_names_a_known_key_and_a_number() -> None:
    for _, names, cells in DEFAULTS:
        assert names
        for cell in cells.split(", "):
            key, _, rest = cell.partition(" ")
            assert key in SPOKEN
            float(rest.partition("=")[2])


def test_words_that_name_no_default_are_not_carried(tmp_path: Path) -> None:
    survey = survey_of(index_of(tmp_path, {"main.py": ADAMW}))
    claim = claim_of(sau("The weight decay of the muon lifetime was measured."))
    assert not defaults_of(survey).carried(claim)
