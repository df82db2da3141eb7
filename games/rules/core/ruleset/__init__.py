"""Rulesets: the interface of a game, its optional parts, and the bases that games share."""
