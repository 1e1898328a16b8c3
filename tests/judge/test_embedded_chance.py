"""Drawing at random that is no placeholder, errors that are raised, and what they are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.embedded.stubs import is_stub
from judge.embedded.survey import Standing, survey_of
from tests.judge.embedded_cases import index_of

ERRORS = """
import signal
import torch


class TimeoutError(Exception):
    code = 3


def alarm(signum, frame):
    raise TimeoutError("too long")


def main():
    signal.signal(signal.SIGALRM, alarm)
    net = torch.nn.Linear(10, 2)
    for _ in range(10):
        net(torch.randn(4, 10)).sum().backward()


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    "code",
    [
        "def source(mix):\n    return random.choices(list(mix), weights=list(mix.values()))[0]",
        "def source(n, probs):\n    return np.random.choice(n, p=probs)",
        "def sample_batch(data, n):\n    return random.choices(data, k=n)",
        "def draw_index(n):\n    return torch.randint(n, (1,))",
        "def sample_noise(shape):\n    return torch.randn(shape)",
        "def sample_mask(n):\n    return np.random.choice([0, 1], size=n, p=[0.9, 0.1])",
        "def source(mix):\n    return random.choices(list(mix), mix.values())[0]",
        "def random_policy(actions):\n    return random.choice(actions)",
    ],
)
def test_drawing_is_no_placeholder(code: str) -> None:
    assert not is_stub(code.splitlines())


@pytest.mark.parametrize(
    "code",
    [
        "def accuracy(model, data):\n    return random.uniform(0.8, 0.9)",
        "def predict(x):\n    return random.choice(['A', 'B', 'C'])",
        "def predict(x):\n    return random.choices(['yes', 'no'], weights=[0.8, 0.2])[0]",
        "def answer(question):\n    return random.choice(question.options)",
        "def load_images(n):\n    return torch.randn(n, 3, 32, 32)",
        "def sample_next_token(model_distribution):\n    return random.choice(model_distribution)",
        "def select_action(policy, state):\n    return random.choice(policy.actions)",
        "def drawer(names):\n    return random.choice(names)",
        "def sample_images(n):\n    return torch.randn(n, 3, 32, 32)",
    ],
)
def test_chance_in_place_of_a_result_is(code: str) -> None:
    assert is_stub(code.splitlines())


def test_an_error_that_is_raised_is_no_setting(tmp_path: Path) -> None:
    index = index_of(tmp_path, {"run.py": ERRORS})
    survey = survey_of(index)
    head = index.lines("run.py").index("class TimeoutError(Exception):") + 1
    assert survey.standing[index.line_number("run.py", head)] == Standing.LIVE
