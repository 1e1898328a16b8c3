def run_score(returns):
    """Mean total reward of the last 100 episodes."""
    last = returns[-100:]
    return sum(last) / len(last)


def normalized(scores, random_scores):
    """Mean over all runs of scores scaled so that random is 0 and the best of the task is 1."""
    total, count = 0.0, 0
    for task, runs in scores.items():
        best = max(runs)
        for score in runs:
            total += (score - random_scores[task]) / (best - random_scores[task])
            count += 1
    return total / count
