"""The evaluation of a seat, by which the house resigns and answers draw offers."""

from games.bots.levels import LEVELS, MARSHAL
from games.bots.player import Player
from games.house.thinking.ending_decisions import EVEN, LOST
from games.protocol.writing import request_line
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe
from games.rules.core.text.notation import read_position
from games.rules.registry import ruleset


def standing(
    preset: str, board: str, level: str = MARSHAL.name, *, seen_all: bool = False
) -> float:
    """South's evaluation of a board on which it is to move.

    Unless `seen_all`, it knows no more of the enemy's pieces than the army list.
    """
    rules = ruleset(preset)
    seen = observe(rules, read_position(rules, f"{board} S 0 40"), Viewpoint.SOUTH)
    player = Player(1, LEVELS[level])
    line = request_line(rules, seen, Seat.SOUTH, [], 2.0)
    player.update(line | {"board": board} if seen_all else line)
    return player.evaluate()


def lattaque(own: str, foe: str) -> str:
    """A board with the flags in the corners, and these pieces in South's and North's last rows."""
    north = f"f{foe.lower()}{_rest(9 - len(foe))}"
    south = f"F{own}{_rest(9 - len(own))}"
    return f"{north}/10/10/10/2~~2~~2/2~~2~~2/10/10/10/{south}"


def _rest(empty: int) -> str:
    return str(empty) if empty else ""


def test_equal_armies_are_even() -> None:
    assert standing("tactique", "fcvppiia/8/8/8/8/8/8/FCVPPIIA", seen_all=True) == 0.0
    own = lattaque("MGCJK", "mgcjk")
    assert abs(standing("lattaque-en", own, seen_all=True)) <= EVEN


def test_a_scout_against_an_army_is_lost() -> None:
    assert standing("lattaque-en", lattaque("R", "MGCJKL")) <= LOST
    assert standing("lattaque-en", lattaque("MGCJKL", "R")) >= -LOST


def test_three_pieces_more_are_more_than_even() -> None:
    assert standing("lattaque-en", lattaque("MGCJKLS", "MGCJ")) > EVEN


def test_every_level_evaluates_alike() -> None:
    for level in LEVELS:
        assert standing("lattaque-en", lattaque("R", "MGCJKL"), level) <= LOST


def test_a_6_6_that_nothing_can_destroy_is_not_lost() -> None:
    weak = "<66>7/8/8/<11><21><31><41><51><32>2/8/8/8/8/8/[66]7"
    assert standing("domino", weak, seen_all=True) == 0.0
    assert standing("domino", weak.replace("<11>", "<61>"), seen_all=True) <= LOST


def test_tactique_is_lost_with_a_demoted_piece_against_an_army() -> None:
    assert standing("tactique", "fcvppiia/8/8/8/8/8/8/FW'6") <= LOST
