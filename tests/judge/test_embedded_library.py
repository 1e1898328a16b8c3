"""What calls of libraries carry out counts, weaker than what is written, and only where it acts."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmark import Sau
from judge.embedded.features import features_of
from judge.embedded.known_calls import KnownCall
from judge.embedded.library import library_of
from judge.embedded.library_calls import CALLS
from judge.embedded.library_models import LOADERS, MODELS
from judge.embedded.looking import Findings, look
from judge.embedded.model import load_model
from judge.embedded.parts import claim_of
from judge.embedded.statements import arguments_of
from judge.embedded.survey import survey_of
from judge.embedded.values import ValueState
from retrieval.index import Index
from tests.judge.embedded_cases import TRAIN, index_of, judged, sau

ATTENTION = sau(
    "Multi-head attention applies query, key and value projections, scaled dot-product attention "
    "with a softmax, concatenation of the heads and an output projection.",
    "D2",
)
BLOCK = """
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.mix = nn.MultiheadAttention(width, 8, batch_first=True)

    def forward(self, x):
        return self.mix(x, x, x)[0]


if __name__ == "__main__":
    print(Block(64)(torch.zeros(1, 4, 64)).shape)
"""


def _calls(root: Path, code: str) -> list[str]:
    index = index_of(root, {"main.py": code})
    return [call.shown for call in library_of(survey_of(index)).calls]


def _found(index: Index, claim: Sau) -> Findings:
    return look(survey_of(index), claim_of(claim))


def _expected(index: Index, claim: Sau) -> float:
    """The expected score, 0 to 1, without the ceilings of rules."""
    survey, parts = survey_of(index), claim_of(claim)
    return load_model().outcome(features_of(survey, parts, look(survey, parts))).expected / 4


def _as_main(lines: str) -> str:
    return f"{lines}\n\nif __name__ == '__main__':\n    main()\n"


# ---- which calls count ---------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("imports", "call"),
    [
        ("import torch.nn as nn", "nn.LSTM(4, 8)"),
        ("from torch import nn", "nn.LSTM(4, 8)"),
        ("import torch", "torch.nn.LSTM(4, 8)"),
        ("from torch.nn import LSTM", "LSTM(4, 8)"),
        ("from torch.nn import (\n    Linear,\n    LSTM,\n)", "LSTM(4, 8)"),
    ],
)
def test_a_call_is_known_through_the_imports_of_its_file(
    tmp_path: Path, imports: str, call: str
) -> None:
    code = _as_main(f"{imports}\n\n\ndef main():\n    return {call}")
    assert len(_calls(tmp_path, code)) == 1


@pytest.mark.parametrize(
    ("head", "line"),
    [
        ("from layers import LSTM", "return LSTM(4, 8)"),
        ("class LSTM:\n    pass", "return LSTM(4, 8)"),
        ("from torch import nn", "return 'nn.LSTM(4, 8)'"),
        ("from torch import nn", "return 1  # nn.LSTM(4, 8)"),
        ("from torch import nn\n\n\ndef dead():\n    return nn.LSTM(4, 8)", "return 1"),
        ("from torch import nn", "nn.LSTM(4, 8)"),
        ("from torch import nn", "[nn.LSTM(4, 8), nn.GRU(4, 8)]"),
        ("from torch import nn", "print(nn.LSTM(4, 8))"),
        ("from torch import nn", "made = nn.LSTM(4, 8)\n    return 1"),
        ("from torch import nn", "made = [\n        nn.LSTM(4, 8),\n    ]\n    return 1"),
        ("from torch import nn", "_ = nn.LSTM(4, 8)\n    return _"),
    ],
    ids=[
        "of its own module",
        "its own class",
        "in a string",
        "in a comment",
        "dead",
        "thrown away",
        "in a list thrown away",
        "printed",
        "given a name that nothing reads",
        "in a list that nothing reads",
        "given to no name",
    ],
)
def test_what_is_no_live_and_used_call_of_the_library_does_not_count(
    tmp_path: Path, head: str, line: str
) -> None:
    assert _calls(tmp_path, _as_main(f"{head}\n\n\ndef main():\n    {line}")) == []


@pytest.mark.parametrize(
    "line",
    [
        "return nn.LSTM(4, 8)",
        "made = nn.LSTM(4, 8)\n    return made(x)",
        "made = [\n        nn.LSTM(4, 8),\n    ]\n    return made[0](x)",
        "x.append(nn.LSTM(4, 8))",
        "nn.LSTM(4, 8).to('cpu')",
    ],
)
def test_a_result_that_goes_somewhere_counts(tmp_path: Path, line: str) -> None:
    code = _as_main(f"from torch import nn\n\n\ndef main(x=[]):\n    {line}")
    assert _calls(tmp_path, code) == ["nn.LSTM"]


def test_what_acts_by_itself_needs_no_reader(tmp_path: Path) -> None:
    code = "import torch\n\n\ndef main():\n    torch.nn.utils.clip_grad_norm_([], 1.0)"
    assert _calls(tmp_path, _as_main(code)) == ["torch.nn.utils.clip_grad_norm_"]


# ---- words ---------------------------------------------------------------------------------------


def test_a_call_carries_out_what_is_written_nowhere(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"layers.py": BLOCK})
    words = {word.concept.text: word for word in _found(index, ATTENTION).words}
    for text in ("query", "projections", "dot", "softmax", "concatenation"):
        assert words[text].only_carried, text
        assert words[text].credit < 1
    answer, _ = judged(index, ATTENTION)
    assert re.search(r"`nn.MultiheadAttention` at layers.py:9 carries out: .*softmax", str(answer))


def test_a_call_that_a_claim_does_not_speak_of_carries_nothing_out_for_it(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"layers.py": BLOCK})
    claim = sau("The database answers a query by its key and returns the projection.", "D2")
    assert not any(word.only_carried for word in _found(index, claim).words)


def test_a_word_of_a_phrase_alone_is_not_the_phrase(tmp_path: Path) -> None:
    code = TRAIN.replace("Adam(encoder", "torch.optim.Adam(encoder")
    index = index_of(tmp_path, {"train.py": code})
    claim = sau("Adam is followed by a correction of the labels by votes.", "D2")
    words = {word.concept.text: word for word in _found(index, claim).words}
    assert not words["correction"].only_carried
    right = sau("Adam with bias correction of its moment estimates.", "D2")
    words = {word.concept.text: word for word in _found(index, right).words}
    assert words["correction"].only_carried


# ---- values --------------------------------------------------------------------------------------

EPSILON = sau("The optimizer is Adam with an epsilon of 1e-8.")


def _state(index: Index, claim: Sau) -> ValueState:
    (value,) = _found(index, claim).values
    return value.state


@pytest.mark.parametrize(
    ("given", "state"),
    [
        ("lr=3e-4", ValueState.BESIDE),  # counts as stated
        ("lr=3e-4, eps=1e-6", ValueState.OTHER),
        ("lr=3e-4, eps=1e-8", ValueState.BESIDE),
        ("3e-4, (0.9, 0.99), 1e-6", ValueState.OTHER),
        ("lr=3e-4, **more", ValueState.ABSENT),
    ],
)
def test_a_default_counts_where_the_call_leaves_it(
    tmp_path: Path, given: str, state: ValueState
) -> None:
    code = TRAIN.replace("lr=1e-4, weight_decay=0.05", given)
    assert _state(index_of(tmp_path, {"train.py": code}), EPSILON) is state


def test_a_default_is_told_with_its_call(tmp_path: Path) -> None:
    answer, _ = judged(index_of(tmp_path, {"train.py": TRAIN}), EPSILON)
    assert "1e-8 is the library's default of eps of `Adam` at train.py:14" in str(answer)


def test_a_default_of_something_else_is_no_value_of_the_claim(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"train.py": TRAIN})
    assert _state(index, sau("Distances are clamped with an epsilon of 1e-8.")) is ValueState.ABSENT


VIT = "import timm\n\n\ndef main(name='{}'):\n    return timm.create_model(name, pretrained=True)"


@pytest.mark.parametrize(
    "code",
    [
        VIT.format("vit_base_patch16_224"),
        "from transformers import ViTModel\n\n\ndef main():\n"
        "    return ViTModel.from_pretrained('google/vit-base-patch16-224-in21k')",
    ],
)
def test_the_name_of_a_checkpoint_stands_for_its_sizes(tmp_path: Path, code: str) -> None:
    index = index_of(tmp_path, {"main.py": _as_main(code)})
    claim = sau("The ViT-B backbone has 12 layers, hidden size 768 and a patch size of 16.")
    found = _found(index, claim)
    assert {value.value.written: value.state for value in found.values} == dict.fromkeys(
        ("12", "768", "16"), ValueState.IMPLIED
    )
    wrong = sau("The ViT-B backbone has a hidden size of 1024.")
    assert _state(index, wrong) is ValueState.ABSENT


def test_a_name_of_a_checkpoint_that_nothing_loads_stands_for_nothing(tmp_path: Path) -> None:
    code = "def main(name='vit_base_patch16_224'):\n    return name"
    index = index_of(tmp_path, {"main.py": _as_main(code)})
    claim = sau("The ViT-B backbone has a hidden size of 768.")
    assert _state(index, claim) is ValueState.ABSENT


# ---- stuffing ------------------------------------------------------------------------------------

_STUFF = [
    *("nn.MultiheadAttention(8, 2)", "nn.LSTM(4, 4)", "nn.GRU(4, 4)", "nn.LayerNorm(8)"),
    *("nn.TransformerEncoderLayer(8, 2)", "nn.BatchNorm2d(8)", "nn.GroupNorm(2, 8)", "nn.GELU()"),
    *("nn.Dropout(0.1)", "nn.ReLU()", "nn.Softmax(-1)", "nn.CrossEntropyLoss()", "nn.MSELoss()"),
    *("nn.BCEWithLogitsLoss()", "nn.KLDivLoss()", "nn.L1Loss()", "nn.Conv2d(1, 1, 1)"),
    *("nn.Embedding(4, 4)", "nn.Linear(4, 4)", "nn.MaxPool2d(2)", "torch.optim.AdamW([])"),
    *("torch.optim.SGD([])", "torch.randn(4)", "torch.rand(4)", "torch.fft.rfft(4)"),
    *("torch.linalg.svd(4)", "torch.topk(4, 2)", "torch.cumsum(4, 0)", "torch.einsum('i', 4)"),
    "torch.bernoulli(4)",
]
# What those calls carry out, in none of their own words.
_CLAIMS = (
    sau("Recurrent gates: input gate, forget gate and cell state with a sigmoid.", "D2"),
    sau("First moment and second moment estimates, bias correction, decay 0.999.", "D2"),
    sau("Query, key and value projections, scaled products, concatenation of the heads.", "D2"),
    sau("Each feature has zero mean and unit variance before a scale and shift.", "D2"),
    sau("Singular values and frequencies of the spectrum.", "D2"),
)
_WAYS = {
    "bare": lambda calls: "".join(f"    {call}\n" for call in calls),
    "names": lambda calls: "".join(f"    made_{n} = {call}\n" for n, call in enumerate(calls)),
    "list": lambda calls: f"    [{', '.join(calls)}]\n",
    "named list": lambda calls: f"    made = [{', '.join(calls)}]\n",
    "printed": lambda calls: "".join(f"    print({call})\n" for call in calls),
}


@pytest.mark.parametrize("way", _WAYS)
def test_calls_whose_results_nothing_uses_do_not_pay(tmp_path: Path, way: str) -> None:
    """They move a claim no more than the same calls of modules that nobody knows.

    But for a hundredth of the scale: the trees ask how long functions are, too.
    """
    assert len(_STUFF) == 30
    lines = _WAYS[way](_STUFF)
    stuffed = TRAIN.replace("epochs):\n", f"epochs):\n{lines}", 1)
    plain = index_of(tmp_path / "plain", {"train.py": TRAIN})
    known = index_of(tmp_path / "known", {"train.py": stuffed})
    assert _shown(library_of(survey_of(known)).calls) == _shown(library_of(survey_of(plain)).calls)
    foreign = re.sub(r"\b(?:nn|torch)\.", "mine.", lines)
    unknown = index_of(
        tmp_path / "unknown",
        {"train.py": "import mine\n" + TRAIN.replace("epochs):\n", f"epochs):\n{foreign}", 1)},
    )
    for claim in _CLAIMS:
        assert _expected(known, claim) <= _expected(unknown, claim) + 0.04, claim.claim


def test_the_same_calls_pay_where_they_are_used(tmp_path: Path) -> None:
    """The guard of the test above: it would pass if no call ever counted."""
    calls = f"    kept = [{', '.join(_STUFF)}]\n    loader = kept[0](loader)\n"
    used = TRAIN.replace("epochs):\n", f"epochs):\n{calls}", 1)
    index = index_of(tmp_path, {"train.py": used})
    assert len(library_of(survey_of(index)).calls) > 30
    assert any(word.only_carried for word in _found(index, _CLAIMS[0]).words)


def _shown(calls: tuple[KnownCall, ...]) -> list[str]:
    return [call.shown for call in calls]


# ---- the tables and the reading of arguments -----------------------------------------------------


def test_the_tables_are_well_formed() -> None:
    known = library_tables()
    for row in known:
        assert len(row) >= 3, row
        assert all(cell.strip() for cell in row[:3]), row


def library_tables() -> list[list[str]]:
    rows: list[list[str]] = []
    for table in (CALLS, MODELS, LOADERS):
        for line in table.strip().replace("\n+ ", " ").splitlines():
            rows.append(f"{line} ".split(" | "))
    return rows


def test_each_call_is_told_once_for_a_library() -> None:
    seen: set[tuple[str, str]] = set()
    for row in (r for r in library_tables() if r[0] not in {"model", "data", "env"}):
        for root in row[0].split():
            for name in row[1].split():
                assert (root, name.lstrip("!")) not in seen
                seen.add((root, name.lstrip("!")))
    assert len(seen) > 400


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("(a, b=1)", (["a"], {"b": "1"}, False)),
        ("(f(a, b), [c, d])", (["f(a, b)", "[c, d]"], {}, False)),
        ("(e={'x': 1, 'y': 2})", ([], {"e": "{'x': 1, 'y': 2}"}, False)),
        ("('(', \"),\", x == y)", (["'('", '"),"', "x == y"], {}, False)),
        ("(*a, **b)", ([], {}, True)),
        ("()", ([], {}, False)),
        ("(a, (b", None),
    ],
)
def test_arguments_are_read_as_python_reads_them(text: str, found: object) -> None:
    assert arguments_of(text) == found


@given(st.text("()[]{}'\",=*ab \n", max_size=60))
def test_no_text_stops_the_reading_of_arguments(text: str) -> None:
    found = arguments_of(f"({text}")
    assert found is None or len(found) == 3


_MEASURED = """
from sklearn.metrics import roc_auc_score
from data import labels, scores

if __name__ == "__main__":
    {}
"""


@pytest.mark.parametrize(
    "line",
    [
        'print("result", roc_auc_score(labels, scores))',
        'print(f"result {roc_auc_score(labels, scores):.3f}")',
        'logging.info("result %s", roc_auc_score(labels, scores))',
    ],
)
def test_a_measure_that_is_printed_is_taken(tmp_path: Path, line: str) -> None:
    assert _calls(tmp_path, _MEASURED.format(line)) == ["roc_auc_score"]


@pytest.mark.parametrize(
    "line",
    [
        "print(roc_auc_score([0, 1], [0.1, 0.9]))",
        "print(roc_auc_score)",
        'print("roc_auc_score(labels, scores)")',
        "roc_auc_score(labels, scores)",
        "auc = roc_auc_score(labels, scores)",
    ],
)
def test_a_measure_of_constants_or_that_is_only_named_is_not(tmp_path: Path, line: str) -> None:
    assert _calls(tmp_path, _MEASURED.format(line)) == []
