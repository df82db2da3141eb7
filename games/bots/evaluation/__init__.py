"""Appraisal: what pieces, squares and moves are worth, and what they leave open to attack."""
