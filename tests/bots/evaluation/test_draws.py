"""Draws: a match that can be won is not drawn, and one that cannot be won ends."""

import pytest

from games.bots.belief.tracked_units import TrackedUnits
from games.bots.evaluation.piece_square_tables import PieceSquareTables
from games.bots.evaluation.situation import Situation
from games.bots.heuristics.domino import piece_value
from games.bots.levels import MARSHAL, SERGEANT, Level
from games.bots.player import choose
from games.protocol.reading import read_line
from games.protocol.writing import request_line
from games.rules.core.basics.pieces import Seat, piece
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe
from games.rules.core.text.notation import read_position
from games.rules.registry import ruleset
from tests import tiers

# The two 6-6 stand face to face on d5 and d6; both gone in one battle is a draw (D7).
EVEN = "<60>6<41>/8/8/8/3<66>4/3[66]4/8/8/8/[60][41]6"
AHEAD = "<60>6<41>/8/8/8/3<66>4/3[66]4/8/8/8/[60][61][62][63][64][41]2"
BEHIND = "<60><61><62><63><64><65><51><41>/<52><53>6/8/8/3<66>4/3[66]4/8/8/8/[60][41]6"
DEAD = "8/8/8/8/3<66>4/3[66]4/8/8/8/[41][25]6"
MUTUAL = "d5xd6"
OWN = piece(Seat.SOUTH, ruleset("domino").kinds["66"])


def line(board: str, quiet: int, battle: str = "12v66") -> dict[str, object]:
    """South's line after a battle that revealed the enemy's 6-6 on d6."""
    rules = ruleset("domino")
    seen = observe(rules, read_position(rules, f"{board} S {quiet} 0"), Viewpoint.SOUTH)
    return request_line(rules, seen, Seat.SOUTH, [("S", f"c6xd6[{battle}]-")], 2.0)


def situation_of(text: dict[str, object], level: Level = MARSHAL) -> Situation:
    """South's situation after a line."""
    request = read_line(text)
    units = TrackedUnits(request.rules, request.seat)
    units.update(request.heard, request.observation)
    return Situation(units, request.observation, level)


def has_target(situation: Situation) -> bool:
    """Whether South's 6-6 is attracted by any enemy."""
    return any(PieceSquareTables(situation).table(OWN))


def gain(board: str, quiet: int) -> float:
    """What South expects to gain if its 6-6 attacks the other."""
    situation = situation_of(line(board, quiet))
    foe = situation.units.at[ruleset("domino").board.index["d6"]]
    assert foe.content == piece(Seat.NORTH, ruleset("domino").kinds["66"])
    return situation.attack_value(OWN, foe)


def test_a_side_that_is_even_or_better_avoids_a_draw() -> None:
    assert gain(AHEAD, 0) < gain(EVEN, 0) < -30


def test_a_side_that_is_worse_seeks_a_draw() -> None:
    assert gain(BEHIND, 0) > 0


def test_a_draw_that_is_near_anyway_costs_nothing() -> None:
    assert gain(EVEN, 195) > 0


@pytest.mark.parametrize("seed", tiers.parameters((1, 2, 3), fast=(1,)))
def test_a_draw_is_made_before_the_limit_of_plies_without_a_battle(seed: int) -> None:
    assert choose([line(EVEN, 195)], seed, MARSHAL) == MUTUAL


def test_the_last_tiles_that_can_destroy_a_6_6_are_kept() -> None:
    many = dict.fromkeys(("00", "60", "61", "62", "63"), 1.0)
    last = {"60": 1.0}
    assert piece_value("60", False, last, {}) > 10 + piece_value("60", False, many, {})
    assert piece_value("41", False, last, {}) == piece_value("41", False, many, {})


@pytest.mark.parametrize(("quiet", "attacks"), [(99, False), (195, True)])
def test_a_6_6_stays_home_until_many_plies_without_a_battle(quiet: int, attacks: bool) -> None:
    board = EVEN.replace("<66>", "<11>").replace("<60>6", "<60>5<66>")
    text = line(board, quiet, "02v11")
    assert has_target(situation_of(text)) is attacks
    assert has_target(situation_of(text, SERGEANT))


@pytest.mark.parametrize("seed", tiers.parameters((1, 2, 3), fast=(2,)))
def test_without_winning_chances_the_two_6_6_end_the_game(seed: int) -> None:
    """No tile that is left beats a 6-6, so waiting gains nothing."""
    assert gain(DEAD, 0) > 0
    assert choose([line(DEAD, 0)], seed, MARSHAL) == MUTUAL
    assert choose([line(DEAD.replace("[41]", "[60]"), 0)], seed, MARSHAL) != MUTUAL


def test_a_6_6_seeks_the_other_at_once_where_neither_side_can_win() -> None:
    board = DEAD.replace("3[66]4", "8").replace("[41][25]6", "[66][25]6")
    situation = situation_of(line(board, 0))
    assert situation.is_dead
    assert has_target(situation)


@pytest.mark.parametrize(("unknown", "attacks"), [("8", True), ("<41>7", False)])
def test_a_6_6_attacks_once_no_enemy_is_left_that_beats_it(unknown: str, attacks: bool) -> None:
    board = f"{unknown}/8/8/8/3<66>3<11>/8/8/8/8/[66][60]6"
    heard = [["S", "c6xd6[12v66]-"], ["N", "h7-h6"], ["S", "g6xh6[02v11]-"]]
    situation = situation_of({**line(board, 0), "heard": heard})
    assert not situation.is_dead
    assert has_target(situation) is attacks


@pytest.mark.parametrize("seed", tiers.parameters((1, 2, 3), fast=(2,)))
def test_a_forced_win_is_not_delayed(seed: int) -> None:
    """The 6-6 in the corner may take the 6-3 on b10, or flee to a9: the 6-2 takes it on either."""
    heard = [["S", "b10xa10[12v66]-"], ["N", "h9-h10"], ["S", "g10xh10[02v15]-"]]
    text = {**line("<66>1[63]4<15>/1[62]6/8/8/8/8/3[66]4/8/8/8", 0), "heard": heard}
    assert choose([text], seed, MARSHAL) == "c10-b10"
