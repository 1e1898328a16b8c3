import numpy as np
from scipy.stats import pearsonr
from sklearn.metrics import accuracy_score, matthews_corrcoef


def glue_score(task: str, output: np.ndarray, gold: np.ndarray) -> float:
    if task == "stsb":
        return float(pearsonr(output[:, 0], gold)[0])
    guess = output.argmax(axis=1)
    if task == "cola":
        return float(matthews_corrcoef(gold, guess))
    return float(accuracy_score(gold, guess))
