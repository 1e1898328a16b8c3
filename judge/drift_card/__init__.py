"""The score card of a judge on a drift test set: what it sees, names, points at, and is fooled by."""
