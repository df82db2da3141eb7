"""A new game has house opponents at once, by the interface of the rules alone."""

from collections.abc import Iterator
from itertools import product

import pytest

from games.bots.levels import LEVELS
from games.bots.player import Player
from games.protocol.writing import request_line
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe
from games.rules.core.text.notation import read_position
from tests import tiers
from tests.bots.seats import match
from tests.sixth_game import outpost

pytestmark = pytest.mark.long

# Of North there is the flag on c3, and a hussar far away.
NEXT_TO_THE_FLAG = "5h/6/6/2f3/2H3/F2G2 S 0 40"


# All others of North are face up, so the piece on c3 is the flag.
SURELY_THE_FLAG = (
    "h!h!h!g!g!g!/i!i!i!3/6/2f3/2H3/F2G2 S 0 40",
    "6/i!i!i!g!g!g!/h!h!4/2fh!2/2HG2/F5 S 0 40",
)


@pytest.fixture(autouse=True)
def outpost_is_registered() -> Iterator[None]:
    registry.register(outpost.EDITIONS)
    yield
    registry.withdraw(outpost.PLAIN.family)


@pytest.mark.parametrize(
    ("preset", "level"),
    tiers.parameters(
        product(("outpost", "outpost-open"), ("recruit", "sergeant", "marshal")),
        fast=(("outpost", "sergeant"), ("outpost-open", "recruit")),
    ),
)
def test_every_level_plays_it_without_an_illegal_answer(preset: str, level: str) -> None:
    played = match(preset, (level, "recruit"), seed=3)
    assert not played.forfeit
    assert played.reason


@pytest.mark.parametrize("preset", ["outpost", "outpost-open"])
@pytest.mark.parametrize("level", ["recruit", "sergeant"])
def test_a_piece_that_can_only_be_the_flag_is_captured(preset: str, level: str) -> None:
    rules = registry.ruleset(preset)
    position = read_position(rules, NEXT_TO_THE_FLAG)
    seen = observe(rules, position, Viewpoint.SOUTH)
    for seed in range(3):
        line = request_line(rules, seen, Seat.SOUTH, [], 2.0)
        assert Player(seed, LEVELS[level]).answer(line) == "c2xc3"


@pytest.mark.parametrize("board", SURELY_THE_FLAG)
@pytest.mark.parametrize("level", ["recruit", "sergeant", "marshal"])
def test_every_level_captures_a_piece_that_is_certainly_the_flag(board: str, level: str) -> None:
    rules = registry.ruleset("outpost-open")
    seen = observe(rules, read_position(rules, board), Viewpoint.SOUTH)
    for seed in range(3):
        player = Player(seed, LEVELS[level])
        assert player.answer(request_line(rules, seen, Seat.SOUTH, [], 2.0)) == "c2xc3"
        assert player.beliefs()["c3"] == {"F": 1.0}
