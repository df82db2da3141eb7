"""Habits of L'Attaque: where people put their pieces, and what those are worth."""

from math import sqrt

from games.bots.heuristics.base import Counts, Habits
from games.rules.core.basics.pieces import Rank
from games.rules.systems.lattaque import MOBILE, Attaque

BASE = {"M": 60, "G": 46, "C": 32, "J": 23, "K": 16, "L": 11, "S": 7, "E": 8, "R": 4, "B": 9}


def worth(rank: Rank, marked: bool, own: Counts, foe: Counts) -> float:
    """What a rank is worth now: more when nothing can beat it, less when its prey has gone."""
    if rank == "Y":
        return 20.0 if foe.get("M", 0) > 0.5 else 2.0
    value = float(BASE.get(rank, 0))
    if rank == "E":  # The last of them are worth a general while the flag may stand behind bombs.
        return 12 + 8 * min(4.0, foe.get("B", 0)) / sqrt(max(1.0, own.get("E", 0)))
    if rank == "R":
        return 3 + 4 / max(1.0, own.get("R", 0))
    if rank == "B":
        return value if foe.get("E", 0) > 0.5 else value + 4
    place = MOBILE.index(rank)
    stronger = sum(foe.get(other, 0) for other in MOBILE[:place])
    equals = foe.get(rank, 0)
    if stronger < 0.5:
        value *= 1.25 if equals < 0.5 else 1.1
    if rank == "M" and foe.get("Y", 0) > 0.5:
        value *= 0.92
    return value


HABITS = Habits(
    family=Attaque.family,
    rows={
        "F": (0.05, 0.15, 0.6, 3.2),
        "B": (0.4, 0.8, 1.2, 1.6),
        "R": (1.5, 1.0, 0.8, 0.7),
        "E": (0.4, 0.8, 1.3, 1.5),
        "M": (0.8, 1.5, 1.3, 0.4),
        "G": (1.1, 1.4, 1.1, 0.4),
        "C": (1.3, 1.3, 0.9, 0.5),
        "J": (1.3, 1.2, 0.9, 0.6),
        "K": (1.4, 1.1, 0.8, 0.7),
        "L": (1.2, 1.1, 0.9, 0.8),
        "S": (0.8, 0.9, 1.1, 1.2),
        "Y": (0.3, 1.2, 1.4, 1.1),
    },
    guarded="F",
    guards="B",
    worth=worth,
    always_raised=("F",),
)
