"""Bot player: answers a seat's protocol lines; same seed, level and lines, same answers.

Random numbers are seeded for each ply, so a player that gets the lines of a match again
answers the last one alike.
"""

from collections.abc import Iterable
from random import Random

from games.bots.levels import RANDOM, Level
from games.bots.registry import Brain, brain_for
from games.deployments.registry import deploy
from games.protocol.lines import Line, Request
from games.protocol.reading import read_line
from games.rules.core.basics.pieces import Rank


class Player:
    """The player of one seat in one match."""

    def __init__(self, seed: int, level: Level) -> None:
        self.seed = seed
        self.level = level
        self.brain: Brain | None = None
        self.nodes = 0  # moves or positions examined for the last answer, as its brain counts them

    def update(self, line: Line) -> Request | None:
        """Take in a line without answering it; None at the end of a match."""
        if line["ask"] == "end":
            return None
        request = read_line(line)
        if request.ask in ("move", "hear"):
            if self.brain is None:
                self.brain = brain_for(request.rules, self.level)
            self.brain.update(request)
        return request

    def answer(self, line: Line) -> str | None:
        """The answer to a line; None if it asks for none: an earlier turn, or the end."""
        self.nodes = 0
        request = self.update(line)
        if request is None or request.ask == "hear":
            return None
        rng = self._random(request)
        if request.ask == "setup":
            hand = request.observation.hand[request.seat] or ()
            return deploy(request.rules, request.seat, hand, rng)
        if self.brain is None or (self.level is RANDOM and request.legal):
            return rng.choice(request.legal)
        if len(request.legal) == 1:
            return request.legal[0]
        text = self.brain.choose(rng)
        self.nodes = self.brain.nodes
        return text

    def _random(self, request: Request) -> Random:
        ply = request.observation.ply
        seed = f"{self.seed}/{request.rules.key}/{request.seat}/{request.ask}/{ply}"
        return Random(seed)  # noqa: S311 - it plays games and makes no secrets.

    def beliefs(self) -> dict[str, dict[Rank, float]]:
        """By square of an enemy piece, the chance of each rank."""
        return self.brain.beliefs() if self.brain else {}

    def evaluate(self) -> float:
        """The evaluation of its seat, from -1 (lost) to 1 (won)."""
        return self.brain.evaluate() if self.brain else 0.0


def choose(history: Iterable[Line], seed: int, level: Level) -> str:
    """The answer to the last of a match's lines."""
    player = Player(seed, level)
    lines = list(history)
    for line in lines[:-1]:
        player.update(line)
    return player.answer(lines[-1]) or ""
