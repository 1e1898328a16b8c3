"""Names of arguments that are commonly passed by their place."""

from __future__ import annotations

__all__ = ["argument_name"]

_OPTIMISERS = (
    "Adam AdamW Adamax NAdam RAdam SGD RMSprop Adagrad Adadelta LBFGS Lion Adafactor LARS LAMB"
)
_RECURRENT = ("input_size", "hidden_size", "num_layers")
_CONVOLUTION = ("in_channels", "out_channels", "kernel_size", "stride", "padding")
_DROPOUTS = "Dropout Dropout1d Dropout2d Dropout3d AlphaDropout DropPath"
_NAMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_OPTIMISERS.split(), ("", "lr")),
    **dict.fromkeys(_DROPOUTS.split(), ("p",)),
    **dict.fromkeys(("LSTM", "GRU", "RNN"), _RECURRENT),
    **dict.fromkeys(("Conv1d", "Conv2d", "Conv3d"), _CONVOLUTION),
    "Linear": ("in_features", "out_features"),
    "Embedding": ("num_embeddings", "embedding_dim"),
    "MultiheadAttention": ("embed_dim", "num_heads", "dropout"),
    "LeakyReLU": ("negative_slope",),
    "StepLR": ("", "step_size", "gamma"),
    "MultiStepLR": ("", "milestones", "gamma"),
    "ExponentialLR": ("", "gamma"),
    "CosineAnnealingLR": ("", "T_max", "eta_min"),
    "clip_grad_norm_": ("", "max_norm"),
    "clip_grad_value_": ("", "clip_value"),
    "manual_seed": ("seed",),
    "DataLoader": ("", "batch_size", "shuffle"),
}


def argument_name(callee: str, position: int) -> str | None:
    """The name of a value that is passed by its place.

    Args:
        callee: The last part of the called name.
        position: From 0.

    Returns:
        `Dropout.p` where the callee is well known, its own name where it is some class, and `None`
        for any other function, whose numbers mostly say nothing.
    """
    names = _NAMES.get(callee)
    if names is not None and position < len(names) and names[position]:
        return f"{callee}.{names[position]}"
    return callee if callee[:1].isupper() and not callee.isupper() else None
