"""Helpers: players and matches in this process, and the situation of a seat."""

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


class LocalPlayer:
    """A player of the arena in this process, which may stop after some answers."""

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
    """Play a match of two levels."""
    south, north = (
        LocalPlayer(seed + number, level, answers) for number, level in enumerate(levels)
    )
    return Referee(ruleset(preset), (south, north), 60).play(seed)


def situation_of(rules: Ruleset, position: Position) -> Situation:
    """The situation of the side to move, which has seen nothing before this position."""
    seat = position.turn
    seen = observe(rules, position, Viewpoint.of_seat(seat))
    request = read_line(request_line(rules, seen, seat, [], 2.0))
    brain = brain_for(rules, MARSHAL)  # It registers the heuristics of the game.
    brain.update(request)
    units = TrackedUnits(rules, seat)
    units.update(request.heard, request.observation)
    return Situation(units, request.observation)
