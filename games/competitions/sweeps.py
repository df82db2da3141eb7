"""The sweeps of competitions: each does once what is due, and says what it did."""

from collections.abc import Callable

from games.competitions.ladders import sweep as ladders
from games.play.commands import finality
from games.ratings import numbering


def _ratings() -> str:
    return f"ratings: {numbering.count()} units counted"


SWEEPS: tuple[Callable[[], str], ...] = (_ratings, ladders.sweep)


def run() -> list[str]:
    """Make final what has become so, then run all sweeps; returns what each says."""
    final = finality.sweep()
    return [f"matches: {final} made final", *(sweep() for sweep in SWEEPS)]
