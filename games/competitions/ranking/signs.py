"""Signs of a cross table, their half points, and which cells may face each other."""

from __future__ import annotations

WON, LOST, DRAWN = "1", "0", "="
# Without play: an opponent aborted, did not set up or withdrew.
WALKOVER, FORFEIT = "+", "-"
VOID = "v"
# Not finished at the last date: judged by the time that each has used.
JUDGED_WON, JUDGED_LOST, JUDGED_EVEN = ">", "<", "~"
OPEN = "."

HALF_POINTS = {
    WON: 2,
    LOST: 0,
    DRAWN: 1,
    WALKOVER: 2,
    FORFEIT: 0,
    VOID: 1,
    JUDGED_WON: 2,
    JUDGED_LOST: 0,
    JUDGED_EVEN: 1,
    OPEN: 0,
}
COMPLETED = frozenset((WON, LOST, DRAWN, JUDGED_WON, JUDGED_LOST, JUDGED_EVEN))

# The signs that may stand in the facing cell: a forfeit of both is a forfeit twice.
FACING = {
    WON: LOST,
    LOST: WON,
    DRAWN: DRAWN,
    WALKOVER: FORFEIT,
    FORFEIT: WALKOVER + FORFEIT,
    VOID: VOID,
    JUDGED_WON: JUDGED_LOST,
    JUDGED_LOST: JUDGED_WON,
    JUDGED_EVEN: JUDGED_EVEN,
    OPEN: OPEN,
}


def half_points(cell: str) -> int:
    """The half points of a cell: the sum over its signs."""
    return sum(HALF_POINTS[sign] for sign in cell)


def faces(cell: str, other: str) -> bool:
    """Whether two cells of equal length may face each other; of two signs the other is reversed."""
    return all(theirs in FACING[own] for own, theirs in zip(cell, reversed(other), strict=True))
