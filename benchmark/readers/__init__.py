"""Readers of the formats that people have."""
