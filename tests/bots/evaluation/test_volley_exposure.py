"""Volley exposure: what a move exposes to attacks from afar and to volleys."""

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
SLIDING = {"tactique", "tactique-convert", "tactique-straight", "tactique-volley-all"}
STEP_BY_STEP = {"tactique-step", "tactique-step-convert", "domino", "lattaque-en"}


# The flag on f1 is guarded on e1, g1 and f2, and the file before it is empty up to the enemy.
SHUT = "pfiiapiv/1i'avc1ip/4i2p/2w'5/2P5/AW'P5/VC1VW'V1v'/I1IPIFIA S 26 0"


def added(text: str, source: str, target: str) -> float:
    """How much a move of South adds to its exposure."""
    cells = RULES.board.index
    return VolleyExposure(situation_of(RULES, read_position(RULES, text))).added(
        cells[source], cells[target], None
    )


def test_a_guard_that_leaves_exposes_the_flag_to_attacks_from_afar() -> None:
    assert added(SHUT, "f2", "g2") > 50 + added(SHUT, "d2", "d3")


def test_an_archer_gains_where_it_reaches_enemies() -> None:
    board = "f7/ii6/8/3vp3/8/A7/PP6/FI6 S 30 0"
    # From d3 an archer reaches d5, from b3 nothing.
    assert added(board, "a3", "d3") < added(board, "a3", "b3") - 3


def test_pieces_move_far_in_some_editions_only() -> None:
    sliding = {name for name in SLIDING | STEP_BY_STEP if battle_tables(ruleset(name)).all_slide}
    assert sliding == SLIDING


def test_an_archer_that_has_moved_counts_as_revealed() -> None:
    """Another piece on the same path does not, and an enemy would rather not attack it."""
    archer = "f7/ii6/8/3v4/8/A7/PP6/FI6 S 30 0"
    other = archer.replace("A", "P")
    risks = [added(board, "a3", "d3") - added(board, "a3", "h3") for board in (archer, other)]
    exposure = VolleyExposure(situation_of(RULES, read_position(RULES, archer)))
    assert risks[0] > risks[1]
    assert not exposure.revealed


def test_a_square_that_an_enemy_can_charge_is_avoided() -> None:
    # On d3 a commander that was never revealed is on a file with an enemy, on h3 far from all.
    board = "f7/ii6/8/3v4/8/C7/PP6/FI6 S 30 0"
    assert added(board, "a3", "d3") > added(board, "a3", "h3")


def test_a_piece_that_a_volley_removes_attacks_nothing_afterwards() -> None:
    rules = ruleset("tactique-step")
    cells = rules.board.index
    # From d3 the demoted piece could attack the archer on d5 next, but its volley comes before.
    situation = situation_of(rules, read_position(rules, "f7/ii6/8/3a4/8/8/PP1I'4/FI6 S 30 0"))
    situation.contents[cells["d5"]] = [(piece(Seat.NORTH, rules.kinds["A"]), 1.0)]
    assert VolleyExposure(situation).added(cells["d2"], cells["d3"], None) > 0


def test_an_archer_that_is_captured_or_hit_before_its_turn_hits_nothing() -> None:
    position = read_position(RULES, "f7/ii6/8/3v4/8/A7/PP6/FI6 S 30 0")
    a3, d3 = (RULES.board.index[square] for square in ("a3", "d3"))
    volleys, cells = VolleyLosses(situation_of(RULES, position)), bytearray(position.cells)
    cells[a3], cells[d3] = cells[d3], cells[a3]
    there = volleys.enemy_loss(bytes(cells), {}, {})
    assert there > 0
    assert volleys.enemy_loss(bytes(cells), {d3: 1.0}, {}) == 0
    assert volleys.enemy_loss(bytes(cells), {}, {d3: 1.0}) == 0
    assert volleys.enemy_loss(bytes(cells), {d3: 0.5}, {d3: 0.5}) == pytest.approx(there / 4)


def test_strong_enemies_attack_unknown_pieces_and_weak_ones_seldom() -> None:
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


def test_the_exposure_of_a_move_does_not_depend_on_moves_evaluated_before() -> None:
    rules = ruleset("tactique-convert")
    cells = rules.board.index
    # On d4 both the pikeman and the cavalryman would be demoted and change sides.
    position = read_position(rules, "f7/ii6/8/3c4/P3I3/8/P7/FI1V4 S 30 0")
    situation = situation_of(rules, position)
    situation.contents[cells["d5"]] = [(piece(Seat.NORTH, rules.kinds["C"]), 1.0)]
    pikeman = cells["a4"], cells["d4"], cells["d5"]
    cavalryman = cells["d1"], cells["d4"], cells["d5"]
    exposure = VolleyExposure(situation)
    judged = exposure.added(*cavalryman), exposure.added(*pikeman)
    assert judged == (
        VolleyExposure(situation).added(*cavalryman),
        VolleyExposure(situation).added(*pikeman),
    )
