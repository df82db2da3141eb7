"""Registry of brains and habits: the one place that knows which game has its own."""

from collections.abc import Callable
from random import Random
from typing import Protocol

from games.bots.assaut.brain import AssautBrain
from games.bots.heuristics import domino, lattaque, tactique
from games.bots.heuristics.base import register
from games.bots.levels import Level
from games.bots.search.hidden_ranks_brain import HiddenBrain
from games.bots.search.open_board_brain import OpenBrain
from games.protocol.lines import Told
from games.rules.core.basics.pieces import Rank
from games.rules.core.ruleset.base import Ruleset


class Brain(Protocol):
    """What chooses the moves of a seat."""

    looked: int  # moves or positions that its last choice looked at

    def hear(self, told: Told) -> None:
        """Take in a line that asks for a move."""

    def choose(self, rng: Random) -> str:
        """The text of a legal move."""

    def believes(self) -> dict[str, dict[Rank, float]]:
        """By square of an enemy piece, the chance of each rank."""

    def evaluate(self) -> float:
        """How the seat stands, from -1 (lost) to 1 (won)."""


register(lattaque.HABITS)
register(domino.HABITS)
register(tactique.HABITS)

_BRAINS: dict[str, Callable[[Level], Brain]] = {AssautBrain.family: AssautBrain}


def brain_for(rules: Ruleset, level: Level) -> Brain:
    """A brain for one seat: the game's own, or one that goes by the rules' interface alone."""
    if rules.family in _BRAINS:
        return _BRAINS[rules.family](level)
    return HiddenBrain(level) if rules.hidden else OpenBrain(level)
