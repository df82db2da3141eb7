"""The lines of a board of points, as pairs of ends."""

from functools import lru_cache

from games.presentation import rule_queries
from games.presentation.registry import presentation_of
from games.rules.core.ruleset.base import Ruleset


@lru_cache(maxsize=64)
def lines(rules: Ruleset) -> tuple[tuple[str, str], ...]:
    """The lines of a board of points, as pairs of ends; empty for a board of squares."""
    points = presentation_of(rules.family).points
    return tuple(rule_queries.lines(rules, points.free_rank, points.fortress_of)) if points else ()
