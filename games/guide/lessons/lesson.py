"""Lesson: a position in which the reader plays one side, with a goal.

All moves follow the rules. The other side replies at once with the first legal move of `replies`,
so a lesson is the same for everybody.

Texts are marked with `gettext_noop` and translated where they are shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.base import Ruleset


class Goal(NamedTuple):
    """The goal; all given conditions must hold at the same time."""

    battles: tuple[tuple[Rank, Rank], ...] = ()  # of the reader's attacks: attacker and defender
    shot: int = 0  # pieces that archers removed
    squares: tuple[str, ...] = ()  # to be occupied by the reader's pieces, after the reply
    standing: int = 0  # the number of these squares that must be occupied
    victory: bool = False


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One lesson; `name` is part of its URL."""

    name: str
    rules: Ruleset
    title: str
    teaches: tuple[str, ...]  # paragraphs of introduction
    task: str
    learnt: str  # shown once the lesson is completed
    pieces: Mapping[str, str]  # by square, as the board text writes them
    goal: Goal
    seat: Seat = Seat.SOUTH  # the reader's
    replies: tuple[str, ...] = ()  # of the other side; the first legal one is played
    captures_first: bool = False  # whether the other side captures if it can
    needs: tuple[Rank, ...] = ()  # own pieces; without one of them the attempt has failed
    turns: int = 12  # of the reader, after which the attempt has failed

    @property
    def key(self) -> str:
        """The key among the lessons of all games, such as "lattaque/moves"."""
        return f"{self.rules.family}/{self.name}"
