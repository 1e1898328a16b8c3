"""The score card of a judge on a drift test set: what it sees, names and is fooled by."""
