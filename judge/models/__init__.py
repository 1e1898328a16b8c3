"""The judges: one module a provider, behind `judge.protocol`."""
