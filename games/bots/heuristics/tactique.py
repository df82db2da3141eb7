"""Habits of Tactique: where people put their pieces, and what those are worth."""

from games.bots.heuristics.base import Counts, Habits
from games.rules.core.basics.pieces import Rank
from games.rules.systems.tactique.game import Tactique

FRESH = {"C": 39, "V": 28, "P": 17.5, "I": 11.7, "A": 17}
DEMOTED = {"V": 13, "P": 8, "I": 5, "W": 3}


def worth(rank: Rank, marked: bool, own: Counts, foe: Counts) -> float:
    """What a piece is worth; one that is demoted falls at the next blow."""
    return float((DEMOTED if marked else FRESH).get(rank, 0))


HABITS = Habits(
    family=Tactique.family,
    rows={
        "F": (0.02, 0.15, 0.6, 5.0),
        "A": (0.75, 1.4, 1.2, 0.45),
        "C": (0.4, 1.1, 1.35, 0.4),
        "V": (1.1, 1.4, 1.05, 0.5),
        "P": (1.5, 0.9, 0.95, 1.0),
        "I": (0.85, 0.8, 0.9, 1.45),
    },
    guarded="F",
    guards="PI",
    worth=worth,
    # Pieces go far, so a gap beside the flag is open to half the board: no piece is worth one.
    cover=45.0,
    first_step=0.65,
    retread=1.25,
    curiosity=0.04,
    always_raised=("F",),
)
