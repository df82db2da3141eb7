"""Registry of brains and heuristics: the only module that knows which game has its own."""

from collections.abc import Callable
from random import Random
from typing import Protocol

from games.bots.assaut.brain import AssautBrain
from games.bots.heuristics import domino, lattaque, tactique
from games.bots.heuristics.base import register
from games.bots.levels import Level
from games.bots.search.hidden_ranks_brain import HiddenRanksBrain
from games.bots.search.open_board_brain import OpenBoardBrain
from games.protocol.lines import Request
from games.rules.core.basics.pieces import Rank
from games.rules.core.ruleset.base import Ruleset


class Brain(Protocol):
    """Chooses the moves of one seat in one match."""

    nodes: int  # moves or positions examined for the last choice

    def update(self, request: Request) -> None:
        """Take in a request for a move."""

    def choose(self, rng: Random) -> str:
        """The text of a legal move, for the newest request."""

    def beliefs(self) -> dict[str, dict[Rank, float]]:
        """By square of an enemy piece, the chance of each rank."""

    def evaluate(self) -> float:
        """The evaluation of the seat, from -1 (lost) to 1 (won)."""


register(lattaque.HEURISTICS)
register(domino.HEURISTICS)
register(tactique.HEURISTICS)

_BRAINS: dict[str, Callable[[Level], Brain]] = {AssautBrain.family: AssautBrain}


def brain_for(rules: Ruleset, level: Level) -> Brain:
    """A brain for one seat: the game's own, or one that needs only the interface of the rules."""
    if rules.family in _BRAINS:
        return _BRAINS[rules.family](level)
    return HiddenRanksBrain(level) if rules.hidden else OpenBoardBrain(level)
