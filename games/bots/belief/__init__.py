"""Belief: what a seat has learnt of each enemy piece, and how likely it is of each rank."""
