"""Evaluation: values of pieces, squares and moves, and what a move exposes to attack."""
