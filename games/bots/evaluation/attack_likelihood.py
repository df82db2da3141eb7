"""Daring: how likely an enemy attacks a piece that it does not know."""

from collections.abc import Collection
from math import exp

from games.bots.evaluation.piece_values import Values

LIKELY = 0.8  # with all to hope for
UNLIKELY = 0.1  # and with nothing
HOPE = 3.0  # what it has to hope for, or to fear, before it is much more or less likely to
BOLDNESS = 1.0  # what it hopes for beside, since it learns something


def daring(values: Values, enemy: int, able: Collection[int]) -> float:
    """How likely an enemy piece attacks one of which it knows only that it is one of these."""
    hope = BOLDNESS - sum(values.swing(enemy, own) for own in able) / (len(able) or 1)
    return UNLIKELY + (LIKELY - UNLIKELY) / (1 + exp(-hope / HOPE))
