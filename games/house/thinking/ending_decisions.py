"""Decisions to end a match: when a house opponent resigns, and which draws it accepts.

They depend only on the evaluations of its own seat, so they reveal no more than its moves do.
Evaluations range from -1 (lost) to 1 (won).
"""

LOST = -0.6  # about a quarter of the enemy's piece value
LOST_FOR_TURNS = 6  # in a row, since it may recapture after a single loss
EVEN = 0.02  # above this it plays for a win
TOO_EARLY_TURNS = 15  # of its own; until then it declines every draw


def is_lost(evaluations: tuple[float, ...]) -> bool:
    """Whether it resigns, given the evaluations of its last turns, newest last."""
    return len(evaluations) >= LOST_FOR_TURNS and max(evaluations) <= LOST


def is_too_early_to_draw(turns: int) -> bool:
    """Whether it declines any draw offer after this number of its own turns."""
    return turns < TOO_EARLY_TURNS


def accepts_draw(evaluations: tuple[float, ...]) -> bool:
    """Whether it accepts a draw, given the evaluations of its last turns, newest last."""
    return bool(evaluations) and evaluations[-1] <= EVEN
