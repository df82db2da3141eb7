"""Set-ups of Assaut: two officers who protect each other and the entrances of the fortress."""

from collections.abc import Sequence
from random import Random

from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.systems.assaut.game import Assaut

PATTERNS = (
    "c5,e5",
    "c6,e6",
    "c5,e6",
    "d5,d6",
    "d5,d7",
    "c6,d5",
    "c5,d6",
    "c5,d5",
    "c7,e5",
    "d6,e6",
    "d5,e7",
    "c6,e5",
    "d6,d7",
    "c7,d5",
)
FAMILY = Assaut.family
MIRRORED = str.maketrans("ce", "ec")


def deploy(rules: Ruleset, seat: Seat, hand: Sequence[Rank], rng: Random) -> str:
    """Two points of the fortress."""
    points = rng.choice(PATTERNS)
    if rng.random() < 0.5:
        points = points.translate(MIRRORED)
    return ",".join(sorted(points.split(",")))
