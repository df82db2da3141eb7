"""Sixth game, defined in one file of the tests: a new game needs nothing else."""
