"""Habits of domino Stratego: which end of a tile people attack with, and what tiles are worth."""

from games.bots.brains.habits import Counts, Habits
from games.rules.core.pieces import Rank
from games.rules.systems.domino import DEALT_ALWAYS, Domino


def worth(rank: Rank, marked: bool, own: Counts, foe: Counts) -> float:
    """What a tile is worth: its two numbers, and more if it can destroy a 6-6."""
    attack, defence = int(rank[0]), int(rank[1])
    value = 4 + 1.8 * attack + 1.1 * defence
    if rank == "00":
        return 16.0
    if attack == 6 or defence == 6:
        value += 6 if attack == 6 else 3
    return value


def standing(rank: Rank, back: float, moved: bool) -> float:
    """Tiles in front and tiles that have moved mostly attack with their higher number."""
    lead = int(rank[0]) - int(rank[1])
    leaning = 0.16 if moved else 0.12 - 0.14 * back
    return float(max(0.1, 1 + leaning * lead))


HABITS = Habits(
    family=Domino.family,
    rows={"66": (0.3, 0.9, 1.8), "00": (0.8, 1.2, 1.0)},
    worth=worth,
    standing=standing,
    always_raised=DEALT_ALWAYS,
)
