"""Fitting the embedded judge's model again from labels: `python -m calibration distill`."""
