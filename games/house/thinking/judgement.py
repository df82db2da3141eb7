"""Judgement: when the house resigns, and which draws it takes, by what its own seat has seen.

Both follow from how it thinks that it stands, so that they tell nothing that a move would not.
"""

LOST = -0.6  # it has a quarter of what the other side has
LOST_FOR_TURNS = 6  # one after the other; a single blow may be answered
EVEN = 0.02  # it would have to stand better than this to play on for a win
TOO_EARLY_TURNS = 15  # of its own, before which nothing has been decided


def is_lost(standings: tuple[float, ...]) -> bool:
    """Whether it resigns: how it stood at its last turns."""
    return len(standings) >= LOST_FOR_TURNS and max(standings) <= LOST


def is_too_early(turns: int) -> bool:
    """Whether it declines any draw, after so many turns of its own."""
    return turns < TOO_EARLY_TURNS


def takes_draw(standings: tuple[float, ...]) -> bool:
    """Whether it takes a draw by how it stood at its last turns."""
    return bool(standings) and standings[-1] <= EVEN
