"""Endings of the games with hidden ranks: order of the tests (C6), no progress (C7)."""

import pytest

from games.rules.core.basics.pieces import Seat
from games.rules.core.state.events import Ended
from tests.rules.shortcuts import ending, happenings, legal, play, rules_of

ENGLISH = rules_of("lattaque-en")
SOUTH, NORTH = Seat.SOUTH, Seat.NORTH


def test_an_army_without_a_mobile_piece_has_lost_at_once() -> None:
    position = "f9/10/10/10/2~~2~~2/2~~2~~2/s9/M9/10/F9 S 3 10"
    assert ending(play(ENGLISH, position, "a3xa4")) == (SOUTH, "no mobile piece left")


def test_a_side_that_loses_its_last_mobile_piece_in_its_own_attack_loses() -> None:
    position = "f9/10/10/10/2~~2~~2/2~~2~~2/m9/S9/10/F9 S 3 10"
    assert ending(play(ENGLISH, position, "a3xa4")) == (NORTH, "no mobile piece left")


def test_two_armies_that_lose_their_last_mobile_pieces_together_draw() -> None:
    position = "f9/10/10/10/2~~2~~2/2~~2~~2/s9/S9/10/F9 S 3 10"
    assert ending(play(ENGLISH, position, "a3xa4")) == (None, "no mobile piece left")


def test_capturing_the_flag_is_tested_first() -> None:
    position = "10/10/10/10/2~~2~~2/2~~2~~2/f9/S9/10/F9 S 199 10"
    assert ending(play(ENGLISH, position, "a3xa4")) == (SOUTH, "flag captured")


def test_a_blocked_side_loses() -> None:
    position = "kb8/b9/10/10/2~~2~~2/2~~2~~2/10/10/10/F8K S 3 10"
    assert ending(play(ENGLISH, position, "j1-j2")) == (SOUTH, "no legal move")


def test_two_blocked_sides_draw() -> None:
    # South's captain may not go back, and walks into a corner between its own bombs.
    rules = rules_of("lattaque-en", no_back="K")
    position = "kb8/b9/10/10/2~~2~~2/2~~2~~2/10/9B/8B1/9K S 3 10"
    assert ending(play(rules, position, "j1-j2")) == (None, "neither side can move")


def test_two_hundred_turns_without_a_battle_are_a_draw() -> None:
    position = "k9/10/10/10/2~~2~~2/2~~2~~2/10/10/10/9K S 198 900"
    assert ending(play(ENGLISH, position, "j1-j2")) is None
    assert ending(play(ENGLISH, position, "j1-j2", "a10-a9")) == (None, "no progress")
    assert legal(ENGLISH, play(ENGLISH, position, "j1-j2", "a10-a9")) == []


def test_a_battle_resets_the_count() -> None:
    position = "k9/10/10/10/2~~2~~2/2~~2~~2/s9/K9/10/9K S 199 900"
    after = play(ENGLISH, position, "a3xa4")
    assert (ending(after), after.quiet) == (None, 0)


def test_the_limit_is_an_option() -> None:
    position = "k9/10/10/10/2~~2~~2/2~~2~~2/10/10/10/9K S 3 900"
    assert ending(play(rules_of("lattaque-en", limit=4), position, "j1-j2")) == (
        None,
        "no progress",
    )


def test_a_made_up_position_is_not_changed_before_the_first_action() -> None:
    position = "10/10/10/10/2~~2~~2/2~~2~~2/10/10/10/F8K S 500 900"
    assert ending(play(ENGLISH, position)) is None
    assert legal(ENGLISH, position) == ["j1-i1", "j1-j2"]
    assert ending(play(ENGLISH, position, "j1-j2")) == (SOUTH, "no mobile piece left")


@pytest.mark.parametrize("key", ["lattaque-en", "lattaque-zh"])
def test_the_end_is_the_last_event_and_the_turn_has_passed(key: str) -> None:
    rules = rules_of(key)
    position = "10/10/10/10/2~~2~~2/2~~2~~2/f9/S9/10/F9 S 0 10"
    ((after, events),) = happenings(rules, position, "a3xa4")
    assert isinstance(events[-1], Ended)
    assert events[-1].outcome == after.outcome
    assert after.turn is NORTH
    assert after.to_act == ()
