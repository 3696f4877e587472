"""Experiments: what is run, measured and kept."""
