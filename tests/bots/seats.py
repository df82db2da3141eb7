"""Seats of the tests: players in this process, and matches of them with all their lines."""

from collections.abc import Mapping
from typing import Any

from games.bots.arena.match import Played, Referee
from games.bots.arena.process import NoAnswer
from games.bots.levels import LEVELS
from games.bots.player import Player
from games.rules.registry import ruleset


class Here:
    """A player of the arena without a process of its own; it gives up after some answers."""

    def __init__(self, seed: int, level: str, answers: int = 10_000) -> None:
        self.player = Player(seed, LEVELS[level])
        self.left = answers

    def ask(self, line: Mapping[str, Any], wall_seconds: float) -> str:
        if not self.left:
            raise NoAnswer("Enough for this test.")
        self.left -= 1
        return self.player.answer(line) or ""

    def tell(self, line: Mapping[str, Any]) -> None:
        assert self.player.answer(line) is None


def match(preset: str, levels: tuple[str, str], seed: int, answers: int = 10_000) -> Played:
    """A match of two levels, with the lines and answers of both seats."""
    south, north = (Here(seed + number, level, answers) for number, level in enumerate(levels))
    return Referee(ruleset(preset), (south, north), 60).play(seed)
