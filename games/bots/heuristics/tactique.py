"""Heuristics of Tactique: where people put their pieces, and what each is worth."""

from games.bots.heuristics.base import Counts, Heuristics
from games.rules.core.basics.pieces import Rank
from games.rules.systems.tactique.game import Tactique

FRESH = {"C": 39, "V": 28, "P": 17.5, "I": 11.7, "A": 17}
DEMOTED = {"V": 13, "P": 8, "I": 5, "W": 3}


def piece_value(rank: Rank, demoted: bool, own: Counts, enemy: Counts) -> float:
    """The value of a piece; a demoted one falls at the next hit."""
    return float((DEMOTED if demoted else FRESH).get(rank, 0))


HEURISTICS = Heuristics(
    family=Tactique.family,
    row_weights={
        "F": (0.02, 0.15, 0.6, 5.0),
        "A": (0.75, 1.4, 1.2, 0.45),
        "C": (0.4, 1.1, 1.35, 0.4),
        "V": (1.1, 1.4, 1.05, 0.5),
        "P": (1.5, 0.9, 0.95, 1.0),
        "I": (0.85, 0.8, 0.9, 1.45),
    },
    guarded_ranks="F",
    guard_ranks="PI",
    piece_value=piece_value,
    # Pieces move far, so a gap next to the flag is open to half the board: no gain is worth one.
    guard_bonus=45.0,
    first_move_cost=0.65,
    revisit_cost=1.25,
    scouting_share=0.04,
    always_in_play=("F",),
)
