"""Operations and words of code that stand in each other's place when a method is got wrong."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping

from judge.embedded.streams import is_identifier

__all__ = ["OPPOSED", "are_opposed"]

# Each line: what may stand in the place of each other.
_GROUPS = """
mean sum median prod
nanmean nansum
cumsum cumprod
max min mean
maximum minimum
amax amin
nanmax nanmin
argmax argmin
softmax sigmoid log_softmax softmin logsoftmax logsigmoid
Softmax Sigmoid LogSoftmax
relu gelu silu tanh sigmoid elu leaky_relu softplus mish swish
ReLU GELU SiLU Tanh Sigmoid ELU LeakyReLU Softplus Mish Swish Identity
exp log expm1 log1p
log log2 log10 log1p
sqrt square rsqrt
sin cos tan
floor ceil round trunc
zeros ones rand randn empty
zeros_like ones_like rand_like randn_like empty_like
rand randn
randn uniform normal standard_normal
uniform_ normal_ zeros_ ones_ constant_
xavier_uniform_ xavier_normal_ kaiming_uniform_ kaiming_normal_ trunc_normal_ orthogonal_
uniform normal randint standard_normal exponential
mse_loss l1_loss smooth_l1_loss huber_loss cross_entropy binary_cross_entropy nll_loss
+ multi_margin_loss binary_cross_entropy_with_logits kl_div
MSELoss L1Loss SmoothL1Loss HuberLoss CrossEntropyLoss BCELoss NLLLoss BCEWithLogitsLoss KLDivLoss
+ MultiMarginLoss
BatchNorm1d BatchNorm2d BatchNorm3d LayerNorm GroupNorm RMSNorm InstanceNorm2d InstanceNorm1d
MaxPool1d MaxPool2d MaxPool3d AvgPool1d AvgPool2d AvgPool3d
AdaptiveAvgPool1d AdaptiveAvgPool2d AdaptiveMaxPool1d AdaptiveMaxPool2d
max_pool2d avg_pool2d
adaptive_avg_pool2d adaptive_max_pool2d
Adam AdamW SGD RMSprop Adagrad Adadelta Adamax NAdam RAdam LBFGS
std var
any all
vstack hstack
ascending descending
sorted reversed
clamp_min clamp_max
ge gt le lt
add sub mul div
add_ sub_ mul_ div_
abs square
accuracy_score f1_score precision_score recall_score
roc_auc_score average_precision_score
mean_squared_error mean_absolute_error
StandardScaler MinMaxScaler RobustScaler
KFold StratifiedKFold GroupKFold
CosineAnnealingLR StepLR LinearLR ExponentialLR ConstantLR MultiStepLR
train eval
+ -
* /
** *
+ *
< <= >= >
> >= <=
== !=
and or
True False
"train" "test" "val" "valid" "validation" "dev" "eval"
"mean" "sum" "none" "batchmean"
"macro" "micro" "weighted" "binary"
"min" "max"
"relu" "gelu" "silu" "tanh" "sigmoid"
"linear" "cosine" "constant" "exponential"
+= -= *= /=
"""


def _table() -> Mapping[str, frozenset[str]]:
    found: defaultdict[str, set[str]] = defaultdict(set)
    lines: list[str] = []
    for line in _GROUPS.strip().splitlines():
        # A line that goes on begins with `+` and a name.
        if line.startswith("+ ") and line[2].isalpha() and lines:
            lines[-1] += " " + line[2:]
        else:
            lines.append(line)
    for line in lines:
        members = line.split()
        for one in members:
            found[one].update(other for other in members if other != one)
    return {token: frozenset(others) for token, others in found.items()}


OPPOSED: Mapping[str, frozenset[str]] = _table()
"""By token of code, the tokens that do something else in the same place."""

_PART_OPPOSED = frozenset(
    frozenset(pair)
    for pair in (
        ("train", "test"), ("train", "val"), ("train", "valid"), ("train", "eval"),
        ("val", "test"), ("valid", "test"), ("min", "max"), ("mean", "sum"), ("first", "last"),
        ("online", "target"), ("student", "teacher"), ("pos", "neg"), ("positive", "negative"),
        ("source", "target"), ("encoder", "decoder"), ("row", "col"), ("actor", "critic"),
        ("old", "new"), ("up", "down"), ("left", "right"), ("query", "key"), ("start", "end"),
    )
)  # fmt: skip
_PARTS = re.compile(r"[A-Z]?[a-z]+|[A-Z]+|\d+")


def are_opposed(one: str, other: str) -> bool:
    """Whether two tokens do different things in the same place: `mean` and `sum`, `+` and `-`."""
    if one == other:
        return False
    if other in OPPOSED.get(one, ()):
        return True
    if not (is_identifier(one) and is_identifier(other)):
        return False
    first, second = ([part.lower() for part in _PARTS.findall(token)] for token in (one, other))
    if len(first) != len(second):
        return False
    apart = [pair for pair in zip(first, second, strict=True) if pair[0] != pair[1]]
    return len(apart) == 1 and frozenset(apart[0]) in _PART_OPPOSED
