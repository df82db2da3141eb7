"""Heuristics of one game: set-up priors, piece values and evaluation weights, with defaults."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from games.rules.core.basics.pieces import Rank

Counts = Mapping[Rank, float]  # how many of each rank an army has left, known or expected
# The value of a piece to its side: by rank, whether it is demoted, own counts, enemy counts.
PieceValue = Callable[[Rank, bool, Counts, Counts], float]


@dataclass(frozen=True, kw_only=True, eq=False)
class Heuristics:
    """What bots know of one game beyond its rules.

    `row_weights`: by rank of the army list, the weight of each set-up row, the front row first;
    1 is a row that people neither prefer nor avoid. People put `guard_ranks` next to the
    `guarded_ranks` (letters). `orientation_weight` weighs the ranks as which a piece may stand (a
    tile's two ends): by rank, row (0 in front to 1 at the back), and whether it has moved.

    Weights of the evaluation, in units of piece value: `guard_bonus` of a piece next to its own
    flag; `first_move_cost` of showing that a piece can move; `revisit_cost` of each recent visit
    to the target square. `scouting_share` is the part of an unknown piece's value that learning
    its rank is worth.
    """

    family: str
    row_weights: Mapping[Rank, tuple[float, ...]] = field(default_factory=dict)
    guarded_ranks: str = ""
    guard_ranks: str = ""
    piece_value: PieceValue | None = None
    orientation_weight: Callable[[Rank, float, bool], float] | None = None
    guard_bonus: float = 0.0
    first_move_cost: float = 0.3
    revisit_cost: float = 0.5
    scouting_share: float = 0.08
    always_in_play: tuple[Rank, ...] = ()  # ranks that every army has, where some stay out of play


DEFAULTS = Heuristics(family="")

_HEURISTICS: dict[str, Heuristics] = {}


def register(heuristics: Heuristics) -> None:
    """Add the heuristics of a game."""
    _HEURISTICS[heuristics.family] = heuristics


def heuristics_of(family: str) -> Heuristics:
    """The heuristics of a game, or the defaults if it has none."""
    return _HEURISTICS.get(family, DEFAULTS)
