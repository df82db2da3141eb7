"""Ladders: one for each game, on which players challenge those above them."""
