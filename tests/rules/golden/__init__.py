"""Golden games: one whole game of every edition, with what each viewpoint saw at each ply.

They are read by a person when they change. `python -m tests.rules.golden --write` rewrites them.
"""
