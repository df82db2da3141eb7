"""Bot player: answers a seat's protocol messages; same seed, level and messages, same answers.

Every answer is a function of the lines so far, the seed and the level. Chance is drawn anew for
each ply, so that whoever hears a match again from the beginning answers its last line alike.
"""

from collections.abc import Iterable
from random import Random

from games.bots.levels import RANDOM, Level
from games.bots.registry import Brain, brain_for
from games.deployments.registry import deploy
from games.protocol.lines import Line, Told
from games.protocol.reading import read_line
from games.rules.core.basics.pieces import Rank


class Player:
    """One seat of one match."""

    def __init__(self, seed: int, level: Level) -> None:
        self.seed = seed
        self.level = level
        self.brain: Brain | None = None
        self.looked = 0  # how much it looked at for its last answer, a count of its brain's own

    def hear(self, line: Line) -> Told | None:
        """Take in a line without answering it; None at the end of a match."""
        if line["ask"] == "end":
            return None
        told = read_line(line)
        if told.ask == "move":
            if self.brain is None:
                self.brain = brain_for(told.rules, self.level)
            self.brain.hear(told)
        return told

    def answer(self, line: Line) -> str | None:
        """The answer to a line; None where none is wanted."""
        self.looked = 0
        told = self.hear(line)
        if told is None:
            return None
        rng = self._chance(told)
        if told.ask == "setup":
            hand = told.observation.hand[told.seat] or ()
            return deploy(told.rules, told.seat, hand, rng)
        if self.brain is None or (self.level is RANDOM and told.legal):
            return rng.choice(told.legal)
        if len(told.legal) == 1:
            return told.legal[0]
        text = self.brain.choose(rng)
        self.looked = self.brain.looked
        return text

    def _chance(self, told: Told) -> Random:
        seed = f"{self.seed}/{told.rules.key}/{told.seat}/{told.ask}/{told.observation.ply}"
        return Random(seed)  # noqa: S311 - games are played with it, no secret is made.

    def believes(self) -> dict[str, dict[Rank, float]]:
        """What it believes of each enemy piece: by square, the chance of each rank."""
        return self.brain.believes() if self.brain else {}

    def evaluate(self) -> float:
        """How its seat stands, from -1 (lost) to 1 (won)."""
        return self.brain.evaluate() if self.brain else 0.0


def choose(history: Iterable[Line], seed: int, level: Level) -> str:
    """The answer to the last line of a match, for whoever kept all of them."""
    player = Player(seed, level)
    lines = list(history)
    for line in lines[:-1]:
        player.hear(line)
    return player.answer(lines[-1]) or ""
