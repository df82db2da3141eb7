"""A lesson: a position in which the reader plays a side, and what is to be reached there.

A position is written as the guide's pictures are, piece by piece, and everything that happens in
it happens by the rules. The other side answers at once, with the first of the lesson's replies that
is legal, so that a lesson waits for nobody and goes the same way for everybody.

Words are marked with `gettext_noop` and translated where they are shown.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.base import Ruleset


class Goal(NamedTuple):
    """What is to be reached; every condition that is given must hold at once."""

    battles: tuple[tuple[Rank, Rank], ...] = ()  # of the reader's attacks: attacker and defender
    shot: int = 0  # pieces that archers removed
    squares: tuple[str, ...] = ()  # where the reader's pieces stand, after the answer
    standing: int = 0  # how many of these are enough
    victory: bool = False


@dataclass(frozen=True, kw_only=True)
class Lesson:
    """One lesson; `name` stands in its address."""

    name: str
    rules: Ruleset
    title: str
    teaches: tuple[str, ...]  # a paragraph each, before anything is done
    task: str
    learnt: str  # what it has shown, once it is done
    pieces: Mapping[str, str]  # by square, as the board text writes them
    goal: Goal
    seat: Seat = Seat.SOUTH  # the reader's
    replies: tuple[str, ...] = ()  # of the other side, the first that is legal
    captures_first: bool = False  # whether the other side takes what it can before that
    needs: tuple[Rank, ...] = ()  # the reader's pieces without which it cannot be done any more
    turns: int = 12  # of the reader, before it is better to begin again

    @property
    def key(self) -> str:
        """Its name among the lessons of all games: "lattaque/moves"."""
        return f"{self.rules.family}/{self.name}"
