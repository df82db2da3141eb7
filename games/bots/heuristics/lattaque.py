"""Heuristics of L'Attaque: where people put their pieces, and what each is worth."""

from math import sqrt

from games.bots.heuristics.base import Counts, Heuristics
from games.rules.core.basics.pieces import Rank
from games.rules.systems.lattaque.army import MOBILE
from games.rules.systems.lattaque.game import Attaque

BASE = {"M": 60, "G": 46, "C": 32, "J": 23, "K": 16, "L": 11, "S": 7, "B": 9}


def piece_value(rank: Rank, demoted: bool, own: Counts, enemy: Counts) -> float:
    """The value of a rank: more if nothing left can beat it, less if what it beats is gone."""
    if rank == "Y":
        return 20.0 if enemy.get("M", 0) > 0.5 else 2.0
    value = float(BASE.get(rank, 0))
    if rank == "E":  # The last of them is worth a general, as long as bombs may shield the flag.
        return 12 + 8 * min(4.0, enemy.get("B", 0)) / sqrt(max(1.0, own.get("E", 0)))
    if rank == "R":
        return 3 + 4 / max(1.0, own.get("R", 0))
    if rank == "B":
        return value if enemy.get("E", 0) > 0.5 else value + 4
    index = MOBILE.index(rank)
    stronger = sum(enemy.get(other, 0) for other in MOBILE[:index])
    equals = enemy.get(rank, 0)
    if stronger < 0.5:
        value *= 1.25 if equals < 0.5 else 1.1
    if rank == "M" and enemy.get("Y", 0) > 0.5:
        value *= 0.92
    return value


HEURISTICS = Heuristics(
    family=Attaque.family,
    row_weights={
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
    guarded_ranks="F",
    guard_ranks="B",
    piece_value=piece_value,
    always_in_play=("F",),
)
