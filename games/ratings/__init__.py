"""Ratings of players: what counts, the formula, and pages."""
