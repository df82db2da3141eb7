"""Rulesets: the interface of a game and the bases that games share."""
