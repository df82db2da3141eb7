"""Seats of the tests: players in this process, their matches, and what a seat knows."""

from collections.abc import Mapping
from typing import Any

from games.bots.arena.match import Played, Referee
from games.bots.arena.player_process import NoAnswer
from games.bots.belief.tracked_units import TrackedUnits
from games.bots.evaluation.situation import Situation
from games.bots.levels import LEVELS, MARSHAL
from games.bots.player import Player
from games.bots.registry import brain_for
from games.protocol.reading import read_line
from games.protocol.writing import request_line
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
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


def situation_of(rules: Ruleset, position: Position) -> Situation:
    """What the side to move knows of a position that nobody told it anything of before."""
    seat = position.turn
    seen = observe(rules, position, Viewpoint.of(seat))
    told = read_line(request_line(rules, seen, seat, [], 2.0))
    brain = brain_for(rules, MARSHAL)  # With it come the habits of the game.
    brain.update(told)
    units = TrackedUnits(rules, seat)
    units.update(told.heard, told.observation)
    return Situation(units, told.observation)
