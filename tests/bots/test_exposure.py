"""Where pieces strike from afar: what a move leaves open."""

import pytest

from games.bots.boards.battle_tables import battle_tables
from games.bots.evaluation.attack_likelihood import attack_likelihood
from games.bots.evaluation.volley_exposure import VolleyExposure
from games.bots.evaluation.volley_losses import VolleyLosses
from games.rules.core.basics.pieces import Seat, piece
from games.rules.core.text.notation import read_position
from games.rules.registry import ruleset
from tests.bots.seats import situation_of

RULES = ruleset("tactique")
AFAR = {"tactique", "tactique-convert", "tactique-straight", "tactique-volley-all"}
STEP_BY_STEP = {"tactique-step", "tactique-step-convert", "domino", "lattaque-en"}


# The flag on f1 is guarded on e1, g1 and f2, and the file before it is empty up to the enemy.
SHUT = "pfiiapiv/1i'avc1ip/4i2p/2w'5/2P5/AW'P5/VC1VW'V1v'/I1IPIFIA S 26 0"


def worse(text: str, source: str, target: str) -> float:
    """How much more a move of South leaves open."""
    cells = RULES.board.index
    return VolleyExposure(situation_of(RULES, read_position(RULES, text))).added(
        cells[source], cells[target], None
    )


def test_a_guard_that_leaves_opens_the_way_from_afar() -> None:
    assert worse(SHUT, "f2", "g2") > 50 + worse(SHUT, "d2", "d3")


def test_archers_are_wanted_where_they_reach_enemies() -> None:
    board = "f7/ii6/8/3vp3/8/A7/PP6/FI6 S 30 0"
    # From d3 an archer reaches d5, from b3 nothing.
    assert worse(board, "a3", "d3") < worse(board, "a3", "b3") - 3


def test_only_whoever_comes_from_afar_need_not_find_a_way() -> None:
    found = {name for name in AFAR | STEP_BY_STEP if battle_tables(ruleset(name)).all_slide}
    assert found == AFAR


def test_an_archer_that_goes_up_to_an_enemy_is_taken_for_one() -> None:
    """Not so another piece on the same way, which an enemy would rather leave alone."""
    archer = "f7/ii6/8/3v4/8/A7/PP6/FI6 S 30 0"
    other = archer.replace("A", "P")
    risks = [worse(board, "a3", "d3") - worse(board, "a3", "h3") for board in (archer, other)]
    volley = VolleyExposure(situation_of(RULES, read_position(RULES, archer)))
    assert risks[0] > risks[1]
    assert not volley.revealed


def test_what_an_enemy_can_charge_at_is_left_alone() -> None:
    # On d4 a commander that nobody has seen stands in a file with an enemy, on h4 far from all.
    board = "f7/ii6/8/3v4/8/C7/PP6/FI6 S 30 0"
    assert worse(board, "a3", "d3") > worse(board, "a3", "h3")


def test_a_piece_that_a_volley_removes_strikes_nothing_afterwards() -> None:
    rules = ruleset("tactique-step")
    cells = rules.board.index
    # From d3 the demoted piece would strike the archer on d5 next, whose volley removes it before.
    situation = situation_of(rules, read_position(rules, "f7/ii6/8/3a4/8/8/PP1I'4/FI6 S 30 0"))
    situation.contents[cells["d5"]] = [(piece(Seat.NORTH, rules.kinds["A"]), 1.0)]
    assert VolleyExposure(situation).added(cells["d2"], cells["d3"], None) > 0


def test_an_archer_that_is_taken_or_hit_before_its_turn_hits_nothing() -> None:
    position = read_position(RULES, "f7/ii6/8/3v4/8/A7/PP6/FI6 S 30 0")
    a3, d3 = (RULES.board.index[square] for square in ("a3", "d3"))
    volleys, cells = VolleyLosses(situation_of(RULES, position)), bytearray(position.cells)
    cells[a3], cells[d3] = cells[d3], cells[a3]
    there = volleys.enemy_loss(bytes(cells), {}, {})
    assert there > 0
    assert volleys.enemy_loss(bytes(cells), {d3: 1.0}, {}) == 0
    assert volleys.enemy_loss(bytes(cells), {}, {d3: 1.0}) == 0
    assert volleys.enemy_loss(bytes(cells), {d3: 0.5}, {d3: 0.5}) == pytest.approx(there / 4)


def test_strong_enemies_strike_at_what_they_do_not_know_and_weak_ones_seldom() -> None:
    position = read_position(RULES, "f7/ii6/8/8/8/CVPPIIAA/PPPPIIII/FIPIPIVV S 30 0")
    situation = situation_of(RULES, position)
    flag = RULES.board.index["a1"]
    army = [unit.content for unit in situation.own if unit.content and unit.cell != flag]
    likely = [
        attack_likelihood(situation.values, piece(Seat.NORTH, RULES.kinds[rank]), army)
        for rank in "CVPI"
    ]
    assert likely == sorted(likely, reverse=True)
    assert likely[0] > 2 * likely[-1]
