"""Where pieces strike from afar: what a move leaves open, and threats that nothing parries."""

from collections.abc import Iterator
from random import Random

import pytest

from games.bots.arena.lines import line_of
from games.bots.brains.exposure import Exposure
from games.bots.brains.sieges import Sieges
from games.bots.brains.situation import Situation
from games.bots.brains.units import Units
from games.bots.lines import read_line
from games.rules.core.engine import advance, begin
from games.rules.core.imagine import Imagined
from games.rules.core.notation import read_position
from games.rules.core.observation import observe
from games.rules.core.pieces import Seat
from games.rules.core.position import Position
from games.rules.core.viewpoint import Viewpoint
from games.rules.registry import ruleset

RULES = ruleset("tactique")


def situation_of(position: Position) -> Situation:
    """What the side to move knows of a position that nobody told it anything of before."""
    seat = position.turn
    seen = observe(RULES, position, Viewpoint.of(seat))
    told = read_line(line_of(RULES, seen, seat, [], 2.0))
    units = Units(RULES, seat)
    units.hear(told.heard, told.observation)
    return Situation(units, told.observation)


# The flag on f1 is guarded on e1, g1 and f2, and the file before it is empty up to the enemy.
SHUT = "pfiiapiv/1i'avc1ip/4i2p/2w'5/2P5/AW'P5/VC1VW'V1v'/I1IPIFIA S 26 0"


def worse(text: str, source: str, target: str) -> float:
    """How much more a move of South leaves open."""
    cells = RULES.board.index
    return Exposure(situation_of(read_position(RULES, text))).worse(
        cells[source], cells[target], None
    )


def test_a_guard_that_leaves_opens_the_way_from_afar() -> None:
    assert worse(SHUT, "f2", "g2") > 50 + worse(SHUT, "d2", "d3")


def test_archers_are_wanted_where_they_reach_enemies() -> None:
    board = "f7/ii6/8/3vp3/8/A7/PP6/FI6 S 30 0"
    # From d3 an archer reaches d5, from b3 nothing.
    assert worse(board, "a3", "d3") < worse(board, "a3", "b3") - 3


def test_what_an_enemy_can_charge_at_is_left_alone() -> None:
    # On d4 a commander that nobody has seen stands in a file with an enemy, on h4 far from all.
    board = "f7/ii6/8/3v4/8/C7/PP6/FI6 S 30 0"
    assert worse(board, "a3", "d3") > worse(board, "a3", "h3")


def wins(position: Imagined, seat: Seat) -> bool:
    """Whether a side would win at once, were it its turn."""
    turned = position._replace(turn=seat, listed=None)
    return any(
        (outcome := RULES.apply(turned, seat, move)[0].outcome) is not None
        and outcome.winner is seat
        and outcome.reason == "flag captured"
        for move in RULES.legal_moves(turned, seat)
    )


def helpless(position: Imagined) -> bool:
    """Whether the side to move loses its flag in the next turn, whatever it does."""
    seat = position.turn
    if not wins(position, seat.other):
        return False
    for move in RULES.legal_moves(position, seat):
        after, _ = RULES.apply(position, seat, move)
        if after.outcome is not None or not wins(after, seat.other):
            return after.outcome is not None and after.outcome.winner is seat.other
    return True


def positions() -> Iterator[Position]:
    """Positions of matches by chance, from their middles on."""
    rng = Random(4)
    for seed in range(12):
        position = begin(RULES, Random(seed))
        for seat in Seat:
            setup = RULES.random_setup(seat, rng, position)
            position, _ = advance(RULES, position, seat, setup)
        while position.outcome is None and position.ply < 60:
            moves = sorted(RULES.legal_moves(position, position.turn), key=repr)
            position, _ = advance(RULES, position, position.turn, rng.choice(moves))
            if position.ply > 25 and position.ply % 9 == 0 and position.outcome is None:
                yield position


@pytest.mark.long
def test_sieges_are_found_where_the_rules_have_them() -> None:
    begun = dangerous = 0
    rng = Random(1)
    for position in positions():
        seat = position.turn
        sieges = Sieges(situation_of(position), Random(1), 10_000)
        sieges.worlds = [position]
        moves = sorted(RULES.legal_moves(position, seat), key=repr)
        for move in rng.sample(moves, min(6, len(moves))):
            after, _ = RULES.apply(position, seat, move)
            if after.outcome is not None:
                continue
            begins = helpless(after)
            answers = (
                RULES.apply(after, after.turn, reply)[0]
                for reply in RULES.legal_moves(after, after.turn)
            )
            danger = wins(after, after.turn) or any(
                then.outcome is None and helpless(then) for then in answers
            )
            sieges.left = 10**9
            assert sieges._share(move, seat.other) == begins
            assert sieges._share(move, seat) == danger
            begun += begins
            dangerous += danger
    assert begun > 3
    assert dangerous > 30


def test_what_may_be_looked_at_is_counted() -> None:
    for position in positions():
        sieges = Sieges(situation_of(position), Random(1), 2_000)
        moves = {repr(move): move for move in RULES.legal_moves(position, position.turn)}
        assert sieges.best(moves, dict.fromkeys(moves, 0.0)) in moves
        assert sieges.left < 1_000
        return
