"""Brains: pure functions from what a seat was told to a move. No clock, no network, no truth."""
