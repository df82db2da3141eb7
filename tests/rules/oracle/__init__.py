"""Test oracle: an independent second implementation of the rules, to compare the engine with.

Slow and plain on purpose: squares are names, pieces small tuples in a dictionary, moves are
found by walking. Nothing here is taken from games.rules, so that a mistake has to be made twice to
go unseen.
"""
