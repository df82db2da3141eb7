"""Forced win search: threats to a flag that no reply can stop, compared with the rules."""

from collections.abc import Iterator
from random import Random

import pytest

from games.bots.boards.battle_tables import battle_tables
from games.bots.boards.volley_board import VolleyBoard
from games.bots.search.forced_wins import ForcedWinSearch, action_of
from games.rules.core.basics.pieces import Seat, owner
from games.rules.core.engine import advance, begin
from games.rules.core.imagined_positions import Imagined
from games.rules.core.state.position import Position
from games.rules.registry import ruleset
from tests import tiers
from tests.bots.seats import situation_of

RULES = ruleset("tactique")


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
        if after.outcome is not None and after.outcome.winner is seat:
            continue  # A win by attacking first is no defence: it needs to know where the flag is.
        if after.outcome is not None or not wins(after, seat.other):
            return after.outcome is not None and after.outcome.winner is seat.other
    return True


def positions() -> Iterator[Position]:
    """Positions of random matches, from their middle on."""
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


@pytest.mark.soak
@pytest.mark.long
def test_forced_wins_are_those_of_the_rules() -> None:
    begun = dangerous = 0
    rng = Random(1)
    for position in positions():
        seat = position.turn
        situation = situation_of(RULES, position)
        search = ForcedWinSearch(situation, Random(1), 10_000)
        search.samples = [position.cells]
        search.flags = [[RULES.board.cells[0], RULES.board.cells[0]]]
        for cell in RULES.board.cells:
            if (content := position.cells[cell]) and RULES.rank_of(content) == "F":
                search.flags[0][owner(content)] = cell
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
            action = action_of(move)
            assert search.share(action, seat.other, search.is_forced) == begins
            assert (search.share(action, seat, search.danger) > 0) == danger
            begun += begins
            dangerous += danger
    assert begun > 3
    assert dangerous > 30


def test_a_budget_bounds_the_search() -> None:
    counts = []
    for most in (1, 10**9):
        position = next(positions())
        situation = situation_of(RULES, position)
        search = ForcedWinSearch(situation, Random(1), most)
        moves = {repr(move): move for move in RULES.legal_moves(position, position.turn)}
        assert search.best(moves, dict.fromkeys(moves, 0.0)) in moves
        counts.append(search.nodes)
    assert 0 < counts[0] < counts[1]


@pytest.mark.parametrize(
    "preset",
    tiers.parameters(
        (
            "tactique",
            "tactique-step",
            "tactique-convert",
            "tactique-straight",
            "tactique-volley-all",
        ),
        fast=("tactique-convert", "tactique-volley-all"),
    ),
)
def test_the_search_board_obeys_the_rules(preset: str) -> None:
    rules = ruleset(preset)
    rng = Random(5)
    played = attacked = 0
    for seed in range(8):
        position = begin(rules, Random(seed))
        for seat in Seat:
            position, _ = advance(rules, position, seat, rules.random_setup(seat, rng, position))
        board = VolleyBoard(battle_tables(rules))
        while position.outcome is None and position.ply < 40:
            moves = sorted(rules.legal_moves(position, position.turn), key=repr)
            board.load(position.cells)
            side = int(position.turn)
            # The board does not know rules on repeated moves.
            actions = {action_of(move) for move in moves}
            assert actions <= set(board.actions(side))
            assert len(board.actions(side)) < len(actions) + 3
            for move in rng.sample(moves, min(8, len(moves))):
                after, _ = rules.apply(position, position.turn, move)
                undo = board.make(side, action_of(move))
                assert board.over == (
                    after.outcome is not None and after.outcome.reason == "flag captured"
                )
                if not board.over:
                    assert bytes(board.cells) == after.cells
                board.unmake(undo)
                assert bytes(board.cells) == position.cells
                played += 1
            for cell in rng.sample(rules.board.cells, 10):
                if (content := position.cells[cell]) and content >> 7 != side:
                    targets = {one[2] for one in actions}
                    assert board.can_attack(side, cell) == (cell in targets)
                    attacked += cell in targets
            position, _ = advance(rules, position, position.turn, rng.choice(moves))
    assert played > 1_000
    assert attacked > 20
