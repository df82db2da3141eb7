"""Flag loss check: a recruit often sees that its flag can be taken, despite its noise."""

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
from tests.bots.evaluation.test_draws import line

SEEDS = 60
# The enemy on d3 takes the flag on d1, unless it is taken or something steps between.
THREATENED = "iivpapif/vciapivp/8/8/8/3p4/IIP1PIVI/A1PFPACV"
# The enemy on d6 is known to be the 6-6, and the 6-0 may go and take it.
TARGET = "8/8/8/8/3<66>4/8/8/8/3[60]4/[66]7"


def flags_left(level: Level) -> int:
    """The number of seeds after whose answer the flag can be taken at once."""
    rules = ruleset("tactique")
    position = read_position(rules, f"{THREATENED} S 0 9")
    text = request_line(rules, observe(rules, position, Viewpoint.SOUTH), Seat.SOUTH, [], 2.0)
    flag = rules.board.index["d1"]
    left = 0
    for seed in range(SEEDS):
        move = read_move(rules, position, Seat.SOUTH, choose([text], seed, level))
        after, _ = rules.apply(position, Seat.SOUTH, move)
        left += after.outcome is None and any(
            reply.target == flag
            for reply in rules.legal_moves(after, Seat.NORTH)
            if isinstance(reply, Attack | Charge)
        )
    return left


def test_a_recruit_sometimes_sees_that_its_flag_can_be_taken_at_once() -> None:
    assert 0 < flags_left(RECRUIT) < 0.7 * flags_left(replace(RECRUIT, samples=0))


def test_with_few_pieces_left_a_recruit_hardly_errs() -> None:
    """With full noise it would move there with one of seven seeds."""
    nearer = sum(choose([line(TARGET, 0)], seed, RECRUIT) == "d2-d3" for seed in range(SEEDS))
    assert nearer > 0.9 * SEEDS
