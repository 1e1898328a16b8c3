"""Plain false claims beside code that has all their other words, and true ones that look alike."""

from __future__ import annotations

from pathlib import Path

import pytest

from judge.embedded.contradictions import contradictions
from judge.embedded.method import look_at_method
from judge.embedded.survey import survey_of
from tests.judge.embedded_cases import index_of, judged, sau

CODE = """
import numpy as np
import torch
import torch.nn.functional as F
from torch.optim.lr_scheduler import StepLR
from torch.utils.data import DataLoader


def pool_tokens(token_states):
    pooled_states = token_states.sum(dim=1)
    return pooled_states


def penalty(gate_logits):
    z_penalty = torch.logsumexp(gate_logits, dim=-1).pow(2).mean()
    return z_penalty


def pick_expert(router_scores):
    expert_index = torch.argmin(router_scores, dim=-1)
    return expert_index


def worst_margin(class_margins):
    return torch.min(class_margins)


def clipped_objective(surrogate1, surrogate2):
    return torch.min(surrogate1, surrogate2)


def pessimistic_value(critic1_value, critic2_value):
    target_value = torch.min(critic1_value, critic2_value)
    return target_value


def calibrate(bin_gaps):
    calibration_gap = torch.max(bin_gaps)
    return calibration_gap


def twin_return(left_1, left_2):
    return 0.5 * (left_1 + left_2)


def bounded_steps(start, growth, ceiling):
    return min(start * growth, ceiling)


def loaders(train_set, val_set, size):
    train_loader = DataLoader(train_set, batch_size=size, shuffle=True)
    val_loader = DataLoader(val_set, batch_size=size, shuffle=False)
    return train_loader, val_loader


def draw_players(player_pool, count, rng):
    chosen_players = rng.choice(player_pool, size=count, replace=False)
    return chosen_players


def rank_candidates(candidates):
    ranked_candidates = sorted(candidates, key=lambda c: c.rating, reverse=True)
    return ranked_candidates


def reconstruction(decoded_image, image):
    image_error = F.l1_loss(decoded_image, image)
    return image_error


def distill(student_logits, teacher_logits):
    teacher_probs = teacher_logits.detach().softmax(-1)
    return F.kl_div(student_logits.log_softmax(-1), teacher_probs, reduction="sum")


def prepare(backbone):
    for weight in backbone.parameters():
        weight.requires_grad = False
    return backbone


def main(model):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    scheduler = StepLR(optimizer, step_size=30)
    rng = np.random.default_rng(0)
    x = model.weight
    print(pool_tokens(1), penalty(2), pick_expert(3), worst_margin(x), clipped_objective(x, x))
    print(bounded_steps(x, 2, 3), loaders(1, 2, 3), draw_players([1], 1, rng), prepare(model))
    print(pessimistic_value(x, x), calibrate(x), twin_return(x, x))
    print(rank_candidates(x), reconstruction(1, 2), distill(1, 2), scheduler)


if __name__ == "__main__":
    main(torch.nn.Linear(2, 2))
"""

# What the code does, and the same with one word turned round.
PAIRS = [
    ("The token states are summed into the pooled states.",
     "The token states are averaged into the pooled states."),
    ("The z penalty of the gate logits is averaged.",
     "The z penalty of the gate logits is summed."),
    ("The expert is the argmin of the router scores.",
     "The expert is the argmax of the router scores."),
    ("The smallest of the class margins is returned.",
     "The largest of the class margins is returned."),
    ("The clipped objective is the smallest of the surrogate terms.",
     "The clipped objective is the largest of the surrogate terms."),
    ("The target value is the smallest of the critic values.",
     "The target value averages the critic values."),
    ("The largest of the bin gaps is the calibration gap.",
     "The calibration gap is averaged over the bin gaps."),
    ("The left return is averaged over both.", "The left return is the smallest of both."),
    ("The number of steps is min(start * growth, ceiling).",
     "The number of steps is max(start * growth, ceiling)."),
    ("The train set is shuffled by its loader.", "The train set is not shuffled by its loader."),
    ("The val set is not shuffled by its loader.", "The val set is shuffled by its loader."),
    ("The player pool is sampled without replacement.",
     "The player pool is sampled with replacement."),
    ("The candidates are ranked in descending order of rating.",
     "The candidates are ranked in ascending order of rating."),
    ("The decoded image is compared to the image by an absolute error.",
     "The decoded image is compared to the image by a squared error."),
    ("The teacher logits are detached.", "The teacher logits are not detached."),
    ("The divergence of student and teacher probs is summed.",
     "The divergence of student and teacher probs is averaged."),
    ("The learning rate follows a step schedule.", "The learning rate follows a cosine schedule."),
    ("The backbone weight is frozen.", "The backbone weight is not frozen."),
]  # fmt: skip


def _contradicted(root: Path, code: str, claim: str) -> bool:
    survey = survey_of(index_of(root, {"train.py": code}))
    return bool(contradictions(look_at_method(survey, claim)))


@pytest.mark.parametrize(("true", "false"), PAIRS)
def test_the_opposite_of_what_the_code_does_is_contradicted(
    tmp_path: Path, true: str, false: str
) -> None:
    index = index_of(tmp_path, {"train.py": CODE})
    assert not contradictions(look_at_method(survey_of(index), true))
    parsed, checked = judged(index, sau(false, "D2"))
    assert parsed.level is not None
    assert parsed.level <= 2
    assert parsed.failure == "mismatch"
    assert checked.citations


# (code, a true claim about it): the words of the opposite stand there, and mean nothing of it.
ALIKE = [
    # what is summed is divided afterwards
    ("def token_loss(losses, mask):\n    token_total = losses.sum()\n"
     "    count = mask.numel()\n    return token_total / count\n\n\nprint(token_loss(1, 2))\n",
     "The token losses are averaged over the mask."),
    ("def token_loss(losses, mask):\n    return (losses * mask).sum() / mask.sum()\n\n\n"
     "print(token_loss(1, 2))\n",
     "The token losses are averaged over the mask."),
    # the sum of two terms of which each is a mean
    ("def total_loss(recon, kl):\n    recon_loss = recon.mean()\n"
     "    return recon_loss + kl.mean()\n\n\nprint(total_loss(1, 2))\n",
     "The total loss is the sum of the recon loss and the kl term."),
    # summed over steps, where each is a mean
    ("def epoch_loss(batches):\n    running = 0.0\n    for batch_losses in batches:\n"
     "        step_loss = batch_losses.mean()\n        running += step_loss\n"
     "    return running\n\n\nprint(epoch_loss([]))\n",
     "The step losses of the batches are summed over the epoch."),
    # the best of what is averaged, told beside it
    ("def epoch(losses):\n    best_loss = losses.min()\n    mean_loss = losses.mean()\n"
     "    return best_loss, mean_loss\n\n\nprint(epoch(1))\n",
     "The losses are averaged."),
    # taken out before it is averaged
    ("import torch\n\n\ndef objective(ratio1, ratio2):\n    kept = torch.min(ratio1, ratio2)\n"
     "    return -kept.mean()\n\n\nprint(objective(1, 2))\n",
     "The objective of the ratios is averaged."),
    # a largest value that keeps an exponential small
    ("import torch\n\n\ndef pooled(scores):\n    shifted = scores - scores.max()\n"
     "    return shifted.exp().sum() / len(scores)\n\n\nprint(pooled(1))\n",
     "The scores are averaged."),
    # a range of what is averaged by a meter
    ("def log(meter, losses):\n    loss_range = losses.max()\n    meter.update(losses)\n"
     "    return meter.avg, loss_range\n\n\nprint(log(1, 2))\n",
     "The losses are averaged."),
    # the largest by the smallest of the negative
    ("import numpy as np\n\n\ndef best_candidate(scores):\n    return np.argmin(-scores)\n\n\n"
     "print(best_candidate(1))\n",
     "The candidate with the largest of the scores is taken."),
    # the largest of one thing beside the smallest of another
    ("def span(rewards, costs):\n    top_reward = rewards.max()\n    low_cost = costs.min()\n"
     "    return top_reward - low_cost\n\n\nprint(span(1, 2))\n",
     "The smallest of the costs is subtracted."),
    # a floor that is set by a maximum
    ("import torch\n\n\ndef floor_variance(variance, minimum_variance):\n"
     "    return torch.max(variance, minimum_variance)\n\n\nprint(floor_variance(1, 2))\n",
     "The minimum variance bounds the variance from below."),
    # two loaders, one of them shuffled
    ("from torch.utils.data import DataLoader\n\n\ndef loaders(train_set, test_set):\n"
     "    train_loader = DataLoader(train_set, shuffle=True)\n"
     "    test_loader = DataLoader(test_set)\n    return train_loader, test_loader\n\n\n"
     "print(loaders(1, 2))\n",
     "The test set is not shuffled by its loader."),
    # shuffled by hand
    ("import random\n\nfrom torch.utils.data import DataLoader\n\n\ndef stream(train_set):\n"
     "    random.shuffle(train_set)\n    return DataLoader(train_set, shuffle=False)\n\n\n"
     "print(stream([]))\n",
     "The train set is shuffled."),
    # a cosine written out
    ("import math\n\nfrom torch.optim.lr_scheduler import LambdaLR\n\n\n"
     "def schedule(optimizer, total):\n    def factor(step):\n"
     "        return 0.5 * (1 + math.cos(math.pi * step / total))\n\n"
     "    return LambdaLR(optimizer, factor)\n\n\nprint(schedule(1, 2))\n",
     "The learning rate follows a cosine schedule."),
    # a teacher under no_grad, and a student that is not
    ("import torch\n\n\ndef targets(teacher, student, image):\n    with torch.no_grad():\n"
     "        teacher_logits = teacher(image)\n    return teacher_logits, student(image)\n\n\n"
     "print(targets(print, print, 3))\n",
     "The teacher logits are detached."),
    # AdamW by hand
    ("import torch\n\n\ndef step(weights, lr, rate):\n"
     "    optimizer = torch.optim.Adam(weights, lr=lr)\n    for weight in weights:\n"
     "        weight.data.mul_(1 - lr * rate)\n    optimizer.step()\n\n\nstep([], 0.1, 0.2)\n",
     "The optimizer is AdamW."),
    # L2 by a sum of squares, beside an L1 of something else
    ("def penalties(weights, gates):\n    weight_norm = (weights ** 2).sum().sqrt()\n"
     "    gate_norm = gates.abs().sum()\n    return weight_norm + gate_norm\n\n\n"
     "print(penalties(1, 2))\n",
     "The L2 norm of the weights is penalised."),
    # what is summed is divided by a caller, far below, and where the attribute is read
    ("def batch_loss(token_losses):\n    return token_losses.sum(), len(token_losses)\n\n\n"
     "def evaluate(batches):\n    total, n = 0.0, 0\n    for batch in batches:\n"
     "        part, k = batch_loss(batch)\n        total += part\n        n += k\n"
     "    return total / n\n\n\nprint(evaluate([]))\n",
     "The token losses are averaged over the batch."),
    ("def token_loss(token_losses, mask_count):\n    loss_sum = token_losses.sum()\n"
     + "    print(token_losses)\n" * 20 + "    return loss_sum / mask_count\n\n\n"
     "print(token_loss(1, 2))\n",
     "The token losses are averaged over the mask."),
    ("class Meter:\n    def add(self, token_losses):\n        self.total = token_losses.sum()\n"
     "        self.seen = token_losses.numel()\n\n    def value(self):\n"
     "        return self.total / max(self.seen, 1)\n\n\nmeter = Meter()\nmeter.add(input())\n"
     "print(meter.value())\n",
     "The token losses are averaged over the batch."),
    # a count beside what is averaged elsewhere
    ("def segment(token_values, mask, start):\n"
     "    valid_count = int(mask[0, start:].sum().item())\n    return valid_count\n\n\n"
     "print(segment(1, 2, 3))\n",
     "The mean over valid values of each segment is taken."),
    # another split
    ("from torch.utils.data import DataLoader\n\nGIVEN = {}\n\n\n"
     "def loaders(train_data, val_data):\n    train_loader = DataLoader(train_data, **GIVEN)\n"
     "    val_loader = DataLoader(val_data, shuffle=False)\n    return train_loader, val_loader\n"
     "\n\nprint(loaders(1, 2))\n",
     "The training data is shuffled every epoch."),
    # one of two alike is detached
    ("def distil(student_logits, teacher_logits):\n    wanted = teacher_logits.detach()\n"
     "    return (student_logits - wanted).mean()\n\n\nprint(distil(1, 2))\n",
     "Gradients flow through the student logits."),
    # chosen by name
    ("from torch.optim.lr_scheduler import StepLR\nfrom transformers import get_scheduler\n\n\n"
     "def schedule(optimizer, name):\n    return get_scheduler(name, optimizer)\n\n\n"
     "def baseline(optimizer):\n    return StepLR(optimizer, 3)\n\n\n"
     "print(schedule(1, input()), baseline(2))\n",
     "The learning rate follows a cosine schedule."),
    # what generates does so greedily where nothing else is said
    ("def answer(model, x):\n    return model.generate(x, num_beams=1)\n\n\n"
     "def explore(model, x):\n    return model.generate(x, do_sample=True)\n\n\n"
     "print(answer(1, 2), explore(1, 2))\n",
     "Greedy decoding is used for evaluation."),
    # drawn again and again, with what is drawn once beside it
    ("from torch.utils.data import WeightedRandomSampler\n\n\ndef draw(weights, rng, n):\n"
     "    order = rng.permutation(n)\n    return WeightedRandomSampler(weights, n), order\n\n\n"
     "print(draw(1, 2, 3))\n",
     "Examples are drawn with replacement."),
]  # fmt: skip


@pytest.mark.parametrize(("code", "claim"), ALIKE)
def test_a_true_claim_is_not_contradicted_by_what_looks_alike(
    tmp_path: Path, code: str, claim: str
) -> None:
    assert not _contradicted(tmp_path, code, claim)


@pytest.mark.parametrize(
    ("change", "claim"),
    [
        # The same words in a comment, a text or code that nothing reaches contradict nothing.
        ("    # pooled_states = token_states.mean(dim=1)\n", "averaged"),
        ("    '''pooled_states = token_states.mean(dim=1)'''\n", "averaged"),
    ],
)
def test_only_live_code_keeps_a_claim(tmp_path: Path, change: str, claim: str) -> None:
    code = CODE.replace("    pooled_states = token", change + "    pooled_states = token")
    text = f"The token states are {claim} into the pooled states."
    assert _contradicted(tmp_path, code, text)


def test_another_subject_is_not_contradicted(tmp_path: Path) -> None:
    assert not _contradicted(tmp_path, CODE, "The validation accuracy is averaged over seeds.")
    assert not _contradicted(tmp_path, CODE, "The largest batch that fits in memory is taken.")
    assert not _contradicted(tmp_path, CODE, "Gradients flow through the student.")


ACTOR = """
def update(actor, critic, actor_opt, critic_opt, batch):
    actor_loss = -critic(actor(batch)).mean()
    actor_loss.backward()
    {erased}
    actor_opt.step()


update(1, 2, 3, 4, 5)
"""


def test_erasing_the_critics_gradients_is_no_wrong_loop(tmp_path: Path) -> None:
    claim = "The actor is trained by gradients of the critic."
    for number, (line, wrong) in enumerate((
        ("critic_opt.zero_grad()", False),
        ("critic.zero_grad()", False),
        ("actor_opt.zero_grad()", True),
    )):  # fmt: skip
        code = ACTOR.format(erased=line)
        assert _contradicted(tmp_path / str(number), code, claim) is wrong


@pytest.mark.parametrize(
    ("claim", "contradicted"),
    [
        ("The advantage is `rewards - baseline`.", False),
        ("The advantage is `rewards + baseline`.", True),
        ("The objective is `advantage * ratio - penalty`.", True),
        ("The objective is `advantage * ratio + penalty`.", False),
        ("The `rewards / baseline` pair is logged.", False),  # a list of words
        ("The `bonus + baseline` is logged.", False),  # a name that the code does not hold
    ],
)
def test_quotes_of_plain_names_are_read(tmp_path: Path, claim: str, contradicted: bool) -> None:
    code = (
        "def objective(rewards, baseline, ratio, penalty):\n"
        "    advantage = rewards - baseline\n"
        "    return advantage * ratio + penalty\n\n\nprint(objective(1, 2, 3, 4))\n"
    )
    assert _contradicted(tmp_path, code, claim) is contradicted


@pytest.mark.parametrize(
    ("lines", "contradicted"),
    [
        ("kept.append(1) if score > least else 0", False),
        ("if score <= least:\n            continue\n        kept.append(score)", False),
        ("if score <= least: continue\n        kept.append(score)", False),
        ("if score <= least:\n            pass\n        else:\n            kept.append(1)", False),
        ("bad = score <= least\n        kept.append(score[~bad])", False),
        ("if score <= least:\n            kept.append(score)", True),
        ("kept.append(score <= least)", True),
    ],
)
def test_what_is_passed_over_is_the_contrary_of_what_is_kept(
    tmp_path: Path, lines: str, contradicted: bool
) -> None:
    code = (
        "def choose(scores, least):\n    kept = []\n    for score in scores:\n"
        f"        {lines}\n    return kept\n\n\nprint(choose([], 1))\n"
    )
    claim = "Samples with `score > least` are kept."
    assert _contradicted(tmp_path, code, claim) is contradicted


FLOW = """
def normalise_features(features):
    return features / 2


def project_features(features):
    return features * 2


def encode(images):
    {steps}
    return projected


print(encode(1))
"""
PROJECTED_LAST = (
    "scaled = normalise_features(images)\n    print(3)\n    projected = project_features(scaled)"
)
PROJECTED_FIRST = (
    "early = project_features(images)\n    print(3)\n    projected = normalise_features(early)"
)
NOT_FED = "scaled = normalise_features(images)\n    projected = project_features(images)"


@pytest.mark.parametrize(
    ("steps", "claim", "contradicted"),
    [
        (PROJECTED_LAST, "The features are normalized before they are projected.", False),
        (PROJECTED_FIRST, "The features are normalized before they are projected.", True),
        (PROJECTED_LAST, "The features are normalised after they are projected.", True),
        (PROJECTED_FIRST, "The features are normalised after they are projected.", False),
        (NOT_FED, "The features are normalised after they are projected.", False),
        (PROJECTED_LAST, "1. project the features; 2. normalise the features.", True),
    ],
)
def test_before_and_after_are_read_off_what_one_call_hands_to_another(
    tmp_path: Path, steps: str, claim: str, contradicted: bool
) -> None:
    assert _contradicted(tmp_path, FLOW.format(steps=steps), claim) is contradicted


def test_a_hostile_line_is_read_to_a_length_only(tmp_path: Path) -> None:
    code = (
        "losses = 1\nx = losses.sum() " + "+ DataLoader(a, (mean(" * 4000 + "\nprint(losses, x)\n"
    )
    assert not _contradicted(tmp_path, code, "The losses are averaged before they are shuffled.")


LONE = """
import numpy as np
import torch.nn.functional as F


def objective(net, images, wanted):
    return F.mse_loss(net(images), wanted)


def spread(folds):
    return np.std(folds, ddof=1)


def draw_patients(n, rng):
    return rng.integers(0, n, size=n)


rng = np.random.default_rng(0)
print(objective(print, 1, 2), spread(rng.random(3)), draw_patients(3, rng))
"""


@pytest.mark.parametrize(
    ("claim", "contradicted"),
    [
        ("The images are compared by a squared error.", False),
        ("The images are compared by an absolute error.", True),
        ("The patients of a round are drawn with replacement.", False),
        ("The patients of a round are drawn without replacement.", True),
        ("The standard deviation over folds has ddof=1.", False),
        ("The standard deviation over folds has ddof=0.", True),
    ],
)
def test_a_way_that_no_line_takes_is_contradicted_by_the_other_one(
    tmp_path: Path, claim: str, contradicted: bool
) -> None:
    assert _contradicted(tmp_path, LONE, claim) is contradicted
    both = LONE + "\n\ndef other(images, b, n):\n    error = F.l1_loss(images, b)\n"
    both += "    return error, np.std(b), rng.permutation(n)\n\n\nprint(other(1, 2, 3))\n"
    assert not _contradicted(tmp_path / "both", both, claim)


def test_a_way_that_is_taken_of_another_thing_is_no_contradiction(tmp_path: Path) -> None:
    for number, claim in enumerate((
        "The decoder is trained with the mean absolute error.",
        "The doctors of a round are drawn without replacement.",
        "The standard deviation over seeds has ddof=0.",
    )):  # fmt: skip
        assert not _contradicted(tmp_path / str(number), LONE, claim)


DYNAMICS = """
import torch
import torch.nn.functional as F


def dynamics_loss(predicted_state, next_state):
    return {own}(predicted_state, next_state)


def priorities(value, target_value):
    td_error = torch.abs(value - target_value).squeeze()
    return td_error


print(dynamics_loss(1, 2), priorities(torch.ones(2), torch.ones(2)))
"""


def test_an_absolute_value_elsewhere_contradicts_no_squared_error(tmp_path: Path) -> None:
    squared = DYNAMICS.format(own="F.mse_loss")
    absolute = DYNAMICS.format(own="F.l1_loss")
    for number, claim in enumerate((
        "The dynamics loss is a {} error.",
        "The dynamics loss is a {} error, F.mse_loss(predicted_state, next_state).",
        "The error of the next state is a {} error.",
    )):  # fmt: skip
        text = claim.format("mean squared")
        assert not _contradicted(tmp_path / f"{number}", squared, text)
    wrong = "The dynamics loss is a mean {} error."
    assert _contradicted(tmp_path / "a", squared, wrong.format("absolute"))
    assert _contradicted(tmp_path / "b", absolute, wrong.format("squared"))


ROUND = """
def train_step(loss, optimizer, model):
    {}
    {}
    {}


train_step(1, 2, 3)
"""
BACK, CLIP, STEP = (
    "loss.backward()",
    "torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)",
    "optimizer.step()",
)


@pytest.mark.parametrize(
    "claim",
    [
        "The gradient norm is clipped after the backward pass and before the optimizer step.",
        "The gradient norm is clipped before the optimizer step and after the backward pass.",
        "The gradient norm is clipped after the backward pass, but before the optimizer step.",
        "After the backward pass and before the optimizer step, the gradient norm is clipped.",
        "Before the optimizer step and after the backward pass, the gradient norm is clipped.",
    ],
)
def test_what_is_done_between_two_steps_is_after_one_and_before_the_other(
    tmp_path: Path, claim: str
) -> None:
    assert not _contradicted(tmp_path / "a", ROUND.format(BACK, CLIP, STEP), claim)
    assert _contradicted(tmp_path / "b", ROUND.format(BACK, STEP, CLIP), claim)
    assert _contradicted(tmp_path / "c", ROUND.format(CLIP, BACK, STEP), claim)
    swap = {"after": "before", "before": "after", "After": "Before", "Before": "After"}
    turned = " ".join(swap.get(word, word) for word in claim.split())
    assert _contradicted(tmp_path / "d", ROUND.format(BACK, CLIP, STEP), turned)


ADAPTER = """
import torch


class Adapter:
    def forward(self, x, grad_sum):
        delta = self.factor * (self.B @ self.R @ self.A)
        scaled = self.gain * (x)
        gap = wanted_mean - found_mean
        total = first_part + second_part
        direction = -torch.sign(grad_sum)
        return scaled @ delta + gap * direction + total


print(Adapter().forward(1, 2))
"""


@pytest.mark.parametrize(
    ("quote", "contradicted"),
    [
        ("self.factor * (self.B @ self.R @ self.A)", False),
        ("self.factor * (self.A @ self.R @ self.B)", True),
        ("self.gain * (x)", False),
        ("self.gain - (x)", True),
        ("first_part + second_part", False),
        ("second_part + first_part", False),  # which says the same
        ("-torch.sign(grad_sum)", False),
        ("torch.sign(grad_sum)", True),
    ],
)
def test_a_quote_with_other_operands_or_another_sign_is_contradicted(
    tmp_path: Path, quote: str, contradicted: bool
) -> None:
    assert _contradicted(tmp_path, ADAPTER, f"The update is `{quote}`.") is contradicted


def test_a_part_of_what_is_negated_may_be_quoted(tmp_path: Path) -> None:
    for number, claim in enumerate((
        "The negative of the sum's sign is `torch.sign(grad_sum)`.",
        "The update uses `torch.sign(grad_sum)`.",
        "The update is -`torch.sign(grad_sum)`.",
    )):  # fmt: skip
        assert not _contradicted(tmp_path / str(number), ADAPTER, claim)


def test_a_quote_that_stands_elsewhere_too_is_not_rearranged(tmp_path: Path) -> None:
    code = ADAPTER.replace(
        "        return scaled", "        other = self.factor * (self.A @ self.R @ self.B)\n"
        "        return other + scaled"
    )  # fmt: skip
    claim = "The update is `self.factor * (self.A @ self.R @ self.B)`."
    assert not _contradicted(tmp_path, code, claim)


def test_the_smaller_of_two_names_is_not_the_larger(tmp_path: Path) -> None:
    code = "import torch\n\n\ndef critic_target(q1, q2):\n    q = torch.min(q1, q2)\n    return q\n"
    code += "\n\nprint(critic_target(1, 2))\n"
    claim = "The target takes the {} of q1 and q2."
    assert not _contradicted(tmp_path / "a", code, claim.format("minimum"))
    assert _contradicted(tmp_path / "b", code, claim.format("maximum"))


LAYER = """
import torch
from torch import nn


class Layer(nn.Module):
    def __init__(self, out, rank):
        self.B = nn.Parameter(torch.empty(out, rank), requires_grad=False)
        self.A = nn.Parameter(torch.empty(rank, out), requires_grad=False)
        self.R = nn.Parameter(torch.empty(rank, rank), requires_grad=True)

    def forward(self, x):
        return x @ self.B @ self.R @ self.A


print(Layer(2, 1).forward(1))
"""


def test_what_is_trained_and_what_is_frozen_is_read_off_the_parameters(tmp_path: Path) -> None:
    assert not _contradicted(tmp_path / "a", LAYER, "R is trained while A and B stay frozen.")
    assert _contradicted(tmp_path / "b", LAYER, "A and B are trained while R stays frozen.")
    assert _contradicted(tmp_path / "c", LAYER, "R is frozen.")
    thawed = LAYER.replace(
        "        self.R =", "        self.B.requires_grad = True\n        self.R ="
    )
    assert not _contradicted(tmp_path / "d", thawed, "B is trained.")


TWINS = """
import torch
import torch.nn.functional as F


def critic_loss(critic, target_critic, batch, action, gamma):
    with torch.no_grad():
        q1, q2 = target_critic(batch.following, action)
        next_q = torch.min(q1, q2)
        target = batch.reward + gamma * next_q
    first, second = critic(batch.state, batch.action)
    return F.mse_loss(first, target) + F.mse_loss(second, target)


print(critic_loss(print, print, 1, 2, 0.99))
"""


def test_an_average_of_two_is_no_smaller_of_two(tmp_path: Path) -> None:
    """The mean that stands around it, over the batch, is another one."""
    assert _contradicted(tmp_path, TWINS, "The target averages the two target critics q1 and q2.")
    code = TWINS.replace("torch.min(q1, q2)", "(q1 + q2) / 2")
    assert _contradicted(tmp_path, code, "The target is the smaller of the two critics q1 and q2.")


@pytest.mark.parametrize(
    "claim",
    [
        "The target is the minimum of the two target critics.",
        "The smaller of both estimates is the target.",
        "The squared error is averaged over the batch for both critics.",
    ],
)
def test_what_is_true_of_two_is_not_contradicted(tmp_path: Path, claim: str) -> None:
    assert not _contradicted(tmp_path, TWINS, claim)
    halved = TWINS.replace("    return F.mse", "    return 0.5 * F.mse")
    assert not _contradicted(tmp_path, halved, claim)
    assert not _contradicted(tmp_path, halved, "The losses of the two critics are averaged.")


BESIDE = """
import torch
from torch import nn


def client_gap(values):
    return values.max() - values.min()


def merge(parts):
    stacked = torch.stack(parts)
    return stacked.sum(dim=0)


def aggregate(client_updates):
    stacked = torch.stack(client_updates)
    center = stacked.mean(dim=1)
    print(center)
    return center


def train(model, loader):
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for x, y in loader:
        losses.append(nn.functional.cross_entropy(model(x), y))
    loss = torch.stack(losses).sum(dim=0)
    accuracy = (model(x).argmax(1) == y).float().mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(accuracy.item())


if __name__ == "__main__":
    net = nn.Linear(4, 2)
    train(net, [(torch.randn(4, 4), torch.randint(2, (4,)))])
    print(merge([torch.randn(3)]), aggregate([torch.randn(3)]), client_gap(torch.randn(3)))
"""


def test_a_sum_beside_other_means_contradicts(tmp_path: Path) -> None:
    survey = survey_of(index_of(tmp_path, {"train.py": BESIDE}))
    (told,) = contradictions(look_at_method(survey, "The losses are averaged over the batches"))
    assert "torch.stack(losses).sum(dim=0)" in survey.codes[told.rows[0]]
    assert not contradictions(look_at_method(survey, "The losses are summed over the batches"))


def test_the_head_of_the_next_function_is_not_beside_a_line(tmp_path: Path) -> None:
    survey = survey_of(index_of(tmp_path, {"train.py": BESIDE}))
    # `merge` ends in a sum above `def aggregate(client_updates):`.
    assert not contradictions(look_at_method(survey, "Client updates are averaged"))
