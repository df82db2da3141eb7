"""A sixth game, defined in one file of the tests: proves that a new game needs nothing else."""
