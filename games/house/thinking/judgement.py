"""Judgement: when a house opponent resigns, and which draw offers it accepts.

Both depend only on its seat's own evaluations, so they reveal no more than its moves do.
"""

LOST = -0.6  # It has a quarter of the enemy's piece value.
LOST_FOR_TURNS = 6  # in a row; after a single loss it may still recapture
EVEN = 0.02  # Above this it plays on for a win.
TOO_EARLY_TURNS = 15  # of its own; before them nothing is decided


def is_lost(standings: tuple[float, ...]) -> bool:
    """Whether it resigns, by the evaluations of its last turns, the newest last."""
    return len(standings) >= LOST_FOR_TURNS and max(standings) <= LOST


def is_too_early(turns: int) -> bool:
    """Whether it declines any draw offer, after so many turns of its own."""
    return turns < TOO_EARLY_TURNS


def takes_draw(standings: tuple[float, ...]) -> bool:
    """Whether it accepts a draw, by the evaluations of its last turns."""
    return bool(standings) and standings[-1] <= EVEN
