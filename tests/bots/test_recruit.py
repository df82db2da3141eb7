"""Recruit: what the lowest level sees, although it often misjudges a move."""

from dataclasses import replace

from games.bots.levels import RECRUIT, Level
from games.bots.player import choose
from games.protocol.writing import request_line
from games.rules.core.basics.moves import Attack, Charge
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe
from games.rules.core.text.notation import read_move, read_position
from games.rules.registry import ruleset
from tests.bots.test_draws import line

SEEDS = 60
# The enemy on d3 takes the flag on d1, unless it is taken or something steps between.
THREATENED = "iivpapif/vciapivp/8/8/8/3p4/IIP1PIVI/A1PFPACV"
# The enemy on d6 is known to be the 6-6, and the 6-0 may go and take it.
HUNT = "8/8/8/8/3<66>4/8/8/8/3[60]4/[66]7"


def flags_left(level: Level) -> int:
    """After how many answers of so many seeds the flag can be taken at once."""
    rules = ruleset("tactique")
    position = read_position(rules, f"{THREATENED} S 0 9")
    told = request_line(rules, observe(rules, position, Viewpoint.SOUTH), Seat.SOUTH, [], 2.0)
    flag = rules.board.index["d1"]
    left = 0
    for seed in range(SEEDS):
        move = read_move(rules, position, Seat.SOUTH, choose([told], seed, level))
        after, _ = rules.apply(position, Seat.SOUTH, move)
        left += after.outcome is None and any(
            one.target == flag
            for one in rules.legal_moves(after, Seat.NORTH)
            if isinstance(one, Attack | Charge)
        )
    return left


def test_a_recruit_sees_at_times_that_its_flag_would_be_taken_at_once() -> None:
    assert 0 < flags_left(RECRUIT) < 0.7 * flags_left(replace(RECRUIT, samples=0))


def test_with_few_pieces_left_a_recruit_hardly_misjudges() -> None:
    """With all of its noise it would go there at one of seven seeds."""
    nearer = sum(choose([line(HUNT, 0)], seed, RECRUIT) == "d2-d3" for seed in range(SEEDS))
    assert nearer > 0.9 * SEEDS
