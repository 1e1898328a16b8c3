"""Official metric of each GLUE task."""
import numpy as np
from scipy.stats import pearsonr
from sklearn.metrics import accuracy_score, matthews_corrcoef


def matthews(preds, refs):
    return matthews_corrcoef(refs, preds)


def pearson(preds, refs):
    return pearsonr(preds, refs)[0]


METRICS = {
    "CoLA": matthews,
    "stsb": pearson,
}


def compute(task, logits, refs):
    if task == "stsb":
        preds = np.squeeze(logits, axis=-1)
    else:
        preds = np.argmax(logits, axis=-1)
    metric = METRICS.get(task)
    if metric is None:
        return accuracy_score(refs, preds)
    return metric(preds, refs)
