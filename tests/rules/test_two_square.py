"""The two-square rule: moving back and forth between two squares (C9)."""

import pytest

from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import IllegalMove
from games.rules.core.text.notation import read_move, read_position, write_position
from tests.rules.shortcuts import ending, legal, play, rules_of

HERE = "k9/10/10/10/2~~2~~2/2~~2~~2/10/10/10/9K S 0 0"


def back_and_forth(times: int) -> list[str]:
    """South goes between j1 and j2, North between a10 and a9, in turns."""
    moves = []
    for number in range(times):
        moves.append("j1-j2" if number % 2 == 0 else "j2-j1")
        moves.append("a10-a9" if number % 2 == 0 else "a9-a10")
    return moves


def test_without_the_rule_a_piece_may_move_back_and_forth_for_ever() -> None:
    rules = rules_of("lattaque-en")
    after = play(rules, HERE, *back_and_forth(60))
    assert "j1-j2" in legal(rules, after)


@pytest.mark.parametrize("times", [1, 2, 3, 5])
def test_the_move_after_the_last_allowed_one_is_illegal(times: int) -> None:
    rules = rules_of("lattaque-en", two_square=times)
    after = play(rules, HERE, *back_and_forth(times))
    back = "j1-j2" if times % 2 == 0 else "j2-j1"
    assert back not in legal(rules, after)
    before = play(rules, HERE, *back_and_forth(times - 1))
    forth = "j2-j1" if times % 2 == 0 else "j1-j2"
    assert forth in legal(rules, before)
    with pytest.raises(IllegalMove) as caught:
        read_move(rules, after, Seat.SOUTH, back)
    assert str(caught.value) == (
        f"This piece has moved between j1 and j2 in your last {times} turns already; make another"
        " move first."
    )


def test_another_move_resets_the_count() -> None:
    rules = rules_of("lattaque-en", two_square=2)
    position = HERE.replace("9K", "K8K")
    after = play(rules, position, "j1-j2", "a10-b10", "j2-j1", "b10-c10")
    assert "j1-j2" not in legal(rules, after)
    after = play(rules, after, "a1-a2", "c10-d10")
    assert "j1-j2" in legal(rules, after)


def test_the_two_squares_of_a_long_move_are_where_it_begins_and_ends() -> None:
    rules = rules_of("lattaque-en", two_square=2)
    position = HERE.replace("9K", "9R")
    after = play(rules, position, "j1-j4", "a10-b10", "j4-j1", "b10-c10")
    assert "j1-j4" not in legal(rules, after)
    assert "j1-j5" in legal(rules, after)


def test_an_attack_counts_like_a_move() -> None:
    rules = rules_of("lattaque-en", two_square=2)
    position = "k9/10/10/10/2~~2~~2/2~~2~~2/10/10/s9/K8K S 0 0"
    after = play(rules, position, "a1xa2", "a10-b10", "a2-a1", "b10-c10")
    assert "a1-a2" not in legal(rules, after)


def test_a_side_without_a_legal_move_because_of_the_rule_loses() -> None:
    rules = rules_of("lattaque-en", two_square=1)
    position = "kb8/1b8/10/10/2~~2~~2/2~~2~~2/10/10/10/K9 S 0 0"
    after = play(rules, position, "a1-a2", "a10-a9", "a2-a3")
    assert ending(after) is None
    position = "kb8/1b8/b9/10/2~~2~~2/2~~2~~2/10/10/10/K9 S 0 0"
    after = play(rules, position, "a1-a2", "a10-a9", "a2-a3")
    assert ending(after) == (Seat.SOUTH, "no legal move")


def test_the_count_is_kept_in_the_text() -> None:
    rules = rules_of("lattaque-en-isf2sq")
    after = play(rules, HERE, *back_and_forth(3))
    assert write_position(rules, after).endswith(" S 6 6 shuttle=j1j2:3/a9a10:3")
    again = read_position(rules, write_position(rules, after))
    assert again == after
    assert "j2-j1" not in legal(rules, play(rules, again, "j2-j1", "a9-a10", "j1-j2", "a10-a9"))


def test_in_tactique_the_third_time_is_illegal_and_an_attack_resets_the_count() -> None:
    rules = rules_of("tactique")
    position = "f6c/8/8/8/8/8/8/C6F S 0 0"
    after = play(rules, position, "a1-a3", "h8-h7", "a3-a1", "h7-h6")
    assert "a1-a3" not in legal(rules, after)
    assert "a1-a2" in legal(rules, after)
    position = "f6c/8/8/8/8/8/2c5/C6F S 0 0"
    after = play(rules, position, "a1-a2", "h8-h7", "a2-a1", "h7-h6", "a1-b1", "h6-h5")
    assert "b1-a1" in legal(rules, after)
    # A charge from one of the two squares to the other is no plain move.
    position = "f6c/8/8/8/8/1i6/8/C6F S 0 0"
    after = play(rules, position, "a1-a3", "h8-h7", "a3-a1", "h7-h6")
    assert "a1-a3" not in legal(rules, after)
    assert "a1-a3xb3" in legal(rules, after)
    after = play(rules, after, "a1-a3xb3", "h6-h5")
    assert "a3-a1" in legal(rules, after)
