"""Habits: what a brain knows of one game beyond its rules, each with an answer for any game."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from games.rules.core.basics.pieces import Rank

Counts = Mapping[Rank, float]  # how many of each rank an army still has, or is believed to have
# What a piece is worth to its side: its rank, whether it is marked, own counts, the enemy's.
Worth = Callable[[Rank, bool, Counts, Counts], float]


@dataclass(frozen=True, kw_only=True, eq=False)
class Habits:
    """Set-up habits and values of one game.

    `rows` weighs the rows of a set-up for each rank of the army list, the front row first: how
    likely a piece of that rank stands there, compared with a row that is left to chance. `guards`
    are ranks that people put beside the ranks of `guarded`. `standing` weighs the ways a piece of
    a rank may stand (a tile's two ends), by its row from the front (0 to 1) and whether it moved.
    `cover` is what a piece is worth beside the one that decides the match, as long as it stays.
    `first_step` is what it costs that a piece shows that it can move, `retread` what each visit to
    a cell in the last turns costs, and `curiosity` what it is worth to learn what an unknown piece
    is, as a share of what that may be worth.
    """

    family: str
    rows: Mapping[Rank, tuple[float, ...]] = field(default_factory=dict)
    guarded: str = ""
    guards: str = ""
    worth: Worth | None = None
    standing: Callable[[Rank, float, bool], float] | None = None
    cover: float = 0.0
    first_step: float = 0.3
    retread: float = 0.5
    curiosity: float = 0.08
    always_raised: tuple[Rank, ...] = ()  # ranks that no army goes without, where some do


PLAIN = Habits(family="")

_HABITS: dict[str, Habits] = {}


def register(habits: Habits) -> None:
    """Add the habits of a game."""
    _HABITS[habits.family] = habits


def habits_of(family: str) -> Habits:
    """The habits of a game; chance decides in one that brings none."""
    return _HABITS.get(family, PLAIN)
