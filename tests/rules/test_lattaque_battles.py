"""L'Attaque: the table of battles, and the winner's square."""

import pytest

from games.rules.core.basics.pieces import Seat
from games.rules.core.state.events import Clashed
from tests.floors import at_least
from tests.rules.shortcuts import board, ending, happenings, legal, play, rules_of

RANKS = "MGCJKLSERYBF"

# A row for each attacker, a column for each defender, as the rules print it: A attacker, D
# defender, = both removed, # flag taken.
TABLE = """
M = A A A A A A A A A D #
G D = A A A A A A A A D #
C D D = A A A A A A A D #
J D D D = A A A A A A D #
K D D D D = A A A A A D #
L D D D D D = A A A A D #
S D D D D D D = A A A D #
E D D D D D D D = A A A #
R D D D D D D D D = A D #
Y A D D D D D D D D = D #
"""
SIGNS = {"A": "+", "D": "-", "=": "=", "#": "#"}
CELLS = [
    (row.split()[0], defender, SIGNS[result])
    for row in TABLE.strip().splitlines()
    for defender, result in zip(RANKS, row.split()[1:], strict=True)
]


def meeting(attacker: str, defender: str) -> str:
    """South's attacker on e4 below North's defender on e5; both sides have more to move."""
    return f"k9/10/10/10/2~~2~~2/2~~{defender.lower()}1~~2/4{attacker}5/10/10/9K S 7 40"


def battle(attacker: str, defender: str, key: str = "lattaque-en", **options: object) -> Clashed:
    rules = rules_of(key, **options)  # type: ignore[arg-type]
    (_, events), *_ = happenings(rules, meeting(attacker, defender), "e4xe5")
    return next(event for event in events if isinstance(event, Clashed))


@pytest.mark.parametrize(("attacker", "defender", "result"), CELLS)
def test_the_battle_table_holds(attacker: str, defender: str, result: str) -> None:
    rules = rules_of("lattaque-en")
    clash = battle(attacker, defender)
    assert (clash.attacker, clash.defender, clash.result) == (attacker, defender, result)
    after = play(rules, meeting(attacker, defender), "e4xe5")
    standing = {
        "+": f"k9/10/10/10/2~~2~~2/2~~{attacker}1~~2/10/10/10/9K",
        "-": f"k9/10/10/10/2~~2~~2/2~~{defender.lower()}1~~2/10/10/10/9K",
        "=": "k9/10/10/10/2~~2~~2/2~~2~~2/10/10/10/9K",
        "#": f"k9/10/10/10/2~~2~~2/2~~{attacker}1~~2/10/10/10/9K",
    }
    assert board(rules, after) == standing[result]
    assert ending(after) == ((Seat.SOUTH, "flag captured") if result == "#" else None)
    assert (after.quiet, after.ply) == (0, 41)


def test_the_table_has_a_result_for_every_mobile_attacker() -> None:
    assert len(CELLS) == 10 * 12


@pytest.mark.parametrize("still", "BF")
def test_bombs_and_flags_never_attack(still: str) -> None:
    rules = rules_of("lattaque-en")
    moves = at_least(1, legal(rules, meeting(still, "S")))
    assert all(move.startswith("j1") for move in moves)


def test_with_spy_both_the_spy_beats_the_marshal_in_defence_too() -> None:
    assert battle("M", "Y").result == "+"
    assert battle("M", "Y", spy_both=True).result == "-"
    assert battle("M", "Y", key="lattaque-zh-spyboth").result == "-"
    assert battle("G", "Y", spy_both=True).result == "+"
    assert battle("Y", "M", spy_both=True).result == "+"


def test_a_winner_returns_where_the_edition_says_so() -> None:
    rules = rules_of("lattaque-en", winner="return")
    after = play(rules, meeting("K", "S"), "e4xe5")
    assert board(rules, after) == "k9/10/10/10/2~~2~~2/2~~2~~2/4K5/10/10/9K"
    after = play(rules, meeting("S", "K"), "e4xe5")
    assert board(rules, after) == "k9/10/10/10/2~~2~~2/2~~k1~~2/10/10/10/9K"


def test_a_winning_scout_returns_on_gibsons_board() -> None:
    rules = rules_of("lattaque-gibson")
    position = "k8/9/9/y8/2~1~1~2/2~1~1~2/9/9/R8/8K S 0 0"
    after = play(rules, position, "a2xa7")
    assert board(rules, after) == "k8/9/9/9/2~1~1~2/2~1~1~2/9/9/R8/8K"
    position = "k8/9/9/9/2~1~1~2/2~1~1~2/9/y8/K8/8K S 0 0"
    after = play(rules, position, "a2xa3")
    assert board(rules, after) == "k8/9/9/9/2~1~1~2/2~1~1~2/9/K8/9/8K"


def test_the_survivor_stays_face_up_in_the_chinese_edition() -> None:
    rules = rules_of("lattaque-zh")
    assert "K!" in board(rules, play(rules, meeting("K", "S"), "e4xe5"))
    assert "k!" in board(rules, play(rules, meeting("S", "K"), "e4xe5"))
    assert "b!" in board(rules, play(rules, meeting("S", "B"), "e4xe5"))
    english = rules_of("lattaque-en")
    assert "!" not in board(english, play(english, meeting("K", "S"), "e4xe5"))


def test_a_flag_falls_to_the_spy_and_to_a_scout_from_afar() -> None:
    rules = rules_of("lattaque-en")
    assert ending(play(rules, meeting("Y", "F"), "e4xe5")) == (Seat.SOUTH, "flag captured")
    position = "9f/10/10/10/2~~2~~2/2~~2~~2/10/10/10/9R S 0 0"
    assert ending(play(rules, position, "j1xj10")) == (Seat.SOUTH, "flag captured")


def test_north_captures_like_south() -> None:
    rules = rules_of("lattaque-en")
    position = "9r/10/10/10/2~~2~~2/2~~2~~2/10/10/10/K8F N 0 0"
    assert ending(play(rules, position, "j10xj1")) == (Seat.NORTH, "flag captured")
