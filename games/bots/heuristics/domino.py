"""Habits of domino Stratego: which end of a tile people attack with, and what tiles are worth."""

from games.bots.heuristics.base import Counts, Habits
from games.rules.core.basics.pieces import Rank
from games.rules.systems.domino import DEALT_ALWAYS, Domino

KILLERS = ("00", "60", "61", "62", "63", "64", "65")  # whose attack destroys a 6-6
LAST_KILLER = 200.0  # what the last of them is worth more; without any a 6-6 is safe
SCARCITY = 0.8  # how fast that shrinks with each that is left


def worth(rank: Rank, marked: bool, own: Counts, foe: Counts) -> float:
    """What a tile is worth: its two numbers, and more if it can destroy a 6-6."""
    attack, defence = int(rank[0]), int(rank[1])
    value = 4 + 1.8 * attack + 1.1 * defence
    if rank == "00":
        value = 16.0
    elif attack == 6:
        value += 6
    elif defence == 6:
        value += 3
    if rank in KILLERS:
        left = sum(own.get(killer, 0.0) for killer in KILLERS)
        value += LAST_KILLER / max(1.0, left) ** SCARCITY
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
