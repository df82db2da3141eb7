"""Editing a set-up by taps: placing, exchanging, turning and removing pieces, and undoing steps."""

from random import Random

import pytest

from games.play.setups import arrangement, editing, placing
from games.play.setups.editing import MAX_STEPS, Editing
from games.rules import registry
from games.rules.core.basics.options import Number
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset

RULES = registry.ruleset("lattaque-en")
HAND = RULES.hand(RULES.start(None), Seat.SOUTH)
DOMINO = registry.ruleset("domino")
TILES = ("04", "44", "66")


def after_taps(
    now: Editing, *targets: str, rules: Ruleset = RULES, hand: tuple[str, ...] = HAND
) -> Editing:
    for target in targets:
        now = editing.tap(rules, Seat.SOUTH, hand, now, target)
    return now


def test_a_tapped_piece_of_the_hand_goes_to_the_next_tapped_square() -> None:
    now = after_taps(Editing({}), "hand-M", "a1")
    assert (now.placed, now.chosen) == ({"a1": "M"}, "")


def test_a_piece_stays_chosen_while_the_hand_has_more_of_it() -> None:
    now = after_taps(Editing({}), "hand-B", "a1", "b1", "c1")
    assert (now.placed, now.chosen) == ({"a1": "B", "b1": "B", "c1": "B"}, "hand-B")
    assert after_taps(now, "d1").chosen == ""


def test_two_pieces_can_be_exchanged_or_moved_to_an_empty_square() -> None:
    now = after_taps(Editing({"a1": "M", "b1": "F"}), "a1", "b1", "b1", "c1")
    assert now.placed == {"a1": "F", "c1": "M"}


def test_a_chosen_piece_goes_back_to_the_hand() -> None:
    assert after_taps(Editing({"a1": "M", "b1": "F"}), "a1", "hand-F").placed == {"b1": "F"}


def test_placing_a_piece_on_another_returns_that_one_to_the_hand() -> None:
    assert after_taps(Editing({"a1": "M"}), "hand-F", "a1").placed == {"a1": "F"}


def test_a_second_tap_deselects_a_piece_and_turns_a_tile() -> None:
    assert after_taps(Editing({"a1": "M"}), "a1", "a1") == Editing({"a1": "M"})
    turned = after_taps(
        Editing({"a1": "04", "b1": "44"}), "a1", "a1", "b1", "b1", rules=DOMINO, hand=TILES
    )
    assert turned.placed == {"a1": "40", "b1": "44"}
    assert turned.before == ({"a1": "04", "b1": "44"},)


@pytest.mark.parametrize("target", ["a5", "z9", "hand-Q", "hand-", "", "hand-M"])
def test_invalid_taps_change_nothing(target: str) -> None:
    full = Editing({"a1": "M"}, "b2")
    assert after_taps(full, target) == Editing({"a1": "M"})


def test_the_last_twenty_steps_can_be_undone() -> None:
    now = Editing({})
    for number in range(MAX_STEPS + 5):
        now = now.with_placed({"a1": "M"} if number % 2 == 0 else {})
    for _ in range(MAX_STEPS):
        assert now.before
        now = now.undone()
    assert now.undone() == now


def test_choosing_a_piece_is_no_step() -> None:
    assert after_taps(Editing({"a1": "M"}), "a1").before == ()


def test_stored_steps_are_read_again_even_with_empty_boards() -> None:
    now = Editing({"a1": "M", "j4": "B"}, "a1", ({}, {"a1": "M"}))
    assert editing.load(now.dump()) == now
    assert editing.load("") == Editing({})


def test_a_form_cannot_contain_pieces_unknown_to_the_rules() -> None:
    fields = {"a1": "M", "b1": "Q", "a9": "M", "before": "a1=Q z9=M b2=F|rubbish|-" + "|-" * 50}
    now = editing.from_form(RULES, Seat.SOUTH, fields)
    assert now.placed == {"a1": "M"}
    assert len(now.before) == MAX_STEPS
    fields = {"before": "a1=Q z9=M b2=F|rubbish|-"}
    assert editing.from_form(RULES, Seat.SOUTH, fields).before == ({"b2": "F"}, {}, {})


@pytest.mark.parametrize("preset", registry.editions(), ids=lambda rules: rules.key)
def test_a_random_placement_is_legal_under_all_options(preset: Ruleset) -> None:
    values = [
        (spec.name, value)
        for spec in preset.option_specs
        if not isinstance(spec, Number)
        for value, _words in spec.choices
    ]
    for name, value in values:
        rules = registry.ruleset(preset.key, {name: value})
        for seat in rules.seats_setting_up:
            position = rules.start(Random(7))
            placed = placing.for_me(rules, seat, rules.hand(position, seat))
            text = arrangement.to_text(rules, seat, placed)
            assert not rules.check_setup(seat, text, position), (name, value, text)
