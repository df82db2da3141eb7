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


def tapped(
    now: Editing, *targets: str, rules: Ruleset = RULES, hand: tuple[str, ...] = HAND
) -> Editing:
    for target in targets:
        now = editing.tap(rules, Seat.SOUTH, hand, now, target)
    return now


def test_a_piece_of_the_hand_goes_to_the_square_that_is_tapped_next() -> None:
    now = tapped(Editing({}), "hand-M", "a1")
    assert (now.placed, now.chosen) == ({"a1": "M"}, "")


def test_a_piece_of_which_there_are_more_stays_chosen() -> None:
    now = tapped(Editing({}), "hand-B", "a1", "b1", "c1")
    assert (now.placed, now.chosen) == ({"a1": "B", "b1": "B", "c1": "B"}, "hand-B")
    assert tapped(now, "d1").chosen == ""


def test_two_pieces_change_places_and_one_goes_to_an_empty_square() -> None:
    now = tapped(Editing({"a1": "M", "b1": "F"}), "a1", "b1", "b1", "c1")
    assert now.placed == {"a1": "F", "c1": "M"}


def test_a_chosen_piece_goes_back_to_the_hand() -> None:
    assert tapped(Editing({"a1": "M", "b1": "F"}), "a1", "hand-F").placed == {"b1": "F"}


def test_a_piece_put_on_another_sends_that_one_to_the_hand() -> None:
    assert tapped(Editing({"a1": "M"}), "hand-F", "a1").placed == {"a1": "F"}


def test_a_second_tap_lets_go_of_a_piece_and_turns_a_tile() -> None:
    assert tapped(Editing({"a1": "M"}), "a1", "a1") == Editing({"a1": "M"})
    turned = tapped(
        Editing({"a1": "04", "b1": "44"}), "a1", "a1", "b1", "b1", rules=DOMINO, hand=TILES
    )
    assert turned.placed == {"a1": "40", "b1": "44"}
    assert turned.before == ({"a1": "04", "b1": "44"},)


@pytest.mark.parametrize("target", ["a5", "z9", "hand-Q", "hand-", "", "hand-M"])
def test_what_cannot_be_placed_or_chosen_changes_nothing(target: str) -> None:
    full = Editing({"a1": "M"}, "b2")
    assert tapped(full, target) == Editing({"a1": "M"})


def test_every_step_can_be_undone_but_none_before_the_last_twenty() -> None:
    now = Editing({})
    for number in range(MAX_STEPS + 5):
        now = now.to({"a1": "M"} if number % 2 == 0 else {})
    for _ in range(MAX_STEPS):
        assert now.before
        now = now.undone()
    assert now.undone() == now


def test_choosing_is_no_step() -> None:
    assert tapped(Editing({"a1": "M"}), "a1").before == ()


def test_what_is_kept_is_read_again_with_empty_boards_among_the_steps() -> None:
    now = Editing({"a1": "M", "j4": "B"}, "a1", ({}, {"a1": "M"}))
    assert editing.load(now.dump()) == now
    assert editing.load("") == Editing({})


def test_a_form_cannot_carry_what_the_rules_do_not_know() -> None:
    fields = {"a1": "M", "b1": "Q", "a9": "M", "before": "a1=Q z9=M b2=F|rubbish|-" + "|-" * 50}
    now = editing.from_form(RULES, Seat.SOUTH, fields)
    assert now.placed == {"a1": "M"}
    assert len(now.before) == MAX_STEPS
    fields = {"before": "a1=Q z9=M b2=F|rubbish|-"}
    assert editing.from_form(RULES, Seat.SOUTH, fields).before == ({"b2": "F"}, {}, {})


@pytest.mark.parametrize("preset", registry.editions(), ids=lambda rules: rules.key)
def test_what_is_placed_for_me_is_legal_by_any_switch(preset: Ruleset) -> None:
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
