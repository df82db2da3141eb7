"""Heuristics: what bots know of each game beyond its rules: usual set-ups and piece values."""
