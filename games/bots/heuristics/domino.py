"""Heuristics of domino Stratego: tile values, and the end with which people let tiles attack."""

from games.bots.heuristics.base import Counts, Heuristics
from games.rules.core.basics.pieces import Rank
from games.rules.systems.domino import DEALT_ALWAYS, Domino

KILLERS = ("00", "60", "61", "62", "63", "64", "65")  # A 6-6 falls to their attack.
LAST_KILLER = 200.0  # extra value of the last of them; without any the 6-6 is safe
SCARCITY = 0.8  # exponent by which it falls with the number that are left


def piece_value(rank: Rank, demoted: bool, own: Counts, enemy: Counts) -> float:
    """The value of a tile: its two numbers, and more if it can destroy a 6-6."""
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


def orientation_weight(rank: Rank, row: float, moved: bool) -> float:
    """Tiles in front and tiles that have moved mostly attack with their higher number."""
    lead = int(rank[0]) - int(rank[1])
    preference = 0.16 if moved else 0.12 - 0.14 * row
    return float(max(0.1, 1 + preference * lead))


HEURISTICS = Heuristics(
    family=Domino.family,
    row_weights={"66": (0.3, 0.9, 1.8), "00": (0.8, 1.2, 1.0)},
    piece_value=piece_value,
    orientation_weight=orientation_weight,
    always_in_play=DEALT_ALWAYS,
)
