"""A second reading of the five rule systems, to hold the engine against.

Slow and plain on purpose: squares are names, pieces small tuples in a dictionary, moves are
found by walking. Its one rule: nothing here is taken from games.rules, so that a mistake has to
be made twice to go unseen.
"""
