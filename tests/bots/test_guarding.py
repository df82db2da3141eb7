"""Guarding: what decides a match is not left open to be taken, if a move can shut the way."""

import pytest

from games.bots.arena.lines import line_of
from games.bots.levels import MARSHAL, SERGEANT, Level
from games.bots.player import choose
from games.rules.core.notation import read_move, read_position
from games.rules.core.observation import observe
from games.rules.core.pieces import Seat
from games.rules.core.position import Position
from games.rules.core.ruleset import Ruleset
from games.rules.core.viewpoint import Viewpoint
from games.rules.registry import ruleset

# The file before the flag on f1 is empty as far as f8, from where any piece can charge along it.
GAP = "pfiiapiv/1i'avc1ip/4i2p/2w'5/2P5/AW'P5/VCV1W'2v'/IVIPIFIA S 26 0"


def can_be_lost_at_once(rules: Ruleset, position: Position) -> bool:
    """Whether the side to move can take the other's flag."""
    for move in rules.legal_moves(position, position.turn):
        after, _ = rules.apply(position, position.turn, move)
        if after.outcome and after.outcome.winner is position.turn:
            return True
    return False


@pytest.mark.parametrize("level", [SERGEANT, MARSHAL], ids=lambda level: level.name)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_way_to_the_flag_is_shut(level: Level, seed: int) -> None:
    rules = ruleset("tactique")
    position = read_position(rules, GAP)
    passed = position._replace(turn=Seat.NORTH)
    assert can_be_lost_at_once(rules, passed)
    seen = observe(rules, position, Viewpoint.SOUTH)
    text = choose([line_of(rules, seen, Seat.SOUTH, [], 2.0)], seed, level)
    after, _ = rules.apply(position, Seat.SOUTH, read_move(rules, position, Seat.SOUTH, text))
    assert not can_be_lost_at_once(rules, after), text
