"""Long texts: refused with a sentence, and read in linear time.

Work is counted in function calls, never in seconds. That patterns are linear as well is in
tests/patterns.
"""

import pytest

from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadRecord, Refusal
from games.rules.core.ruleset.armies import LONGEST_SETUP_CHARACTERS
from games.rules.core.text.game_record import (
    LONGEST_TAG_NAME_CHARACTERS,
    LONGEST_TAG_VALUE_CHARACTERS,
    LONGEST_TIMES_CHARACTERS,
    NUMBER,
    TAG,
    read_record,
    write_record,
)
from games.rules.core.text.notation import (
    LONGEST_MOVE_CHARACTERS,
    REMARK,
    read_annotated,
    read_path,
    read_position,
)
from games.rules.core.text.setup_aliases import canonical
from games.rules.referee import answer_line
from games.rules.registry import check_record, editions
from tests import tiers
from tests.patterns.calls import calls
from tests.patterns.machine import Machine
from tests.rules.shortcuts import rules_of

HEAD = '[System "tactique"]\n'
MANY = 1_000
MAX_FACTOR, SPARE_CALLS = 2.3, 100
DIGITS = "9" * 5_000  # more than Python makes a number of


def tags(count: int) -> str:
    """So many tags with names of their own."""
    letters = [chr(ord("a") + number % 26) * (number // 26 + 1) for number in range(count)]
    return "".join(f'[{name} "x"]' for name in letters)


@pytest.mark.parametrize("word", ["1", "1.", "12.x", "a4-a5", "~a1", "[x]", "*", "~", "x,"])
def test_a_word_that_is_too_long_for_a_move_is_refused_with_its_line(word: str) -> None:
    written = word * (LONGEST_MOVE_CHARACTERS + 1)
    with pytest.raises(BadRecord) as caught:
        read_record(f"{HEAD}\n1. c4-a4\n{written} g6-g5")
    assert str(caught.value) == (
        f"Line 4: A move has at most 300 characters, and this one has {len(written)}."
    )


@pytest.mark.parametrize("name", ["South", "SetupS", "Switches", "Reason"])
def test_the_value_of_a_tag_that_is_too_long_is_refused_with_its_line(name: str) -> None:
    value = '\\"' * (LONGEST_TAG_VALUE_CHARACTERS + 1)
    with pytest.raises(BadRecord) as caught:
        read_record(f'{HEAD}\n[{name} "{value}"]\n*')
    assert str(caught.value) == (
        f"Line 3: The value of a tag has at most 2000 characters, and that of {name} has 2001."
    )


def test_the_times_have_room_for_the_longest_record_and_no_more() -> None:
    times = "2026-11-26T09:00:00Z " * 5_000
    assert read_record(f'{HEAD}[Times "{times}"]\n*').tags == {"Times": times}
    assert len(times) == LONGEST_TIMES_CHARACTERS
    with pytest.raises(BadRecord) as caught:
        read_record(f'{HEAD}[Times "{times}2"]\n*')
    assert str(caught.value) == (
        "Line 2: The value of a tag has at most 105000 characters, and that of Times has 105001."
    )


def test_the_name_of_a_tag_that_is_too_long_is_refused_with_its_line() -> None:
    with pytest.raises(BadRecord) as caught:
        read_record(f'{HEAD}\n[{"A" * 61} "x"]\n*')
    assert str(caught.value) == (
        "Line 3: The name of a tag has at most 60 letters, and this one has 61."
    )


def test_a_text_of_the_maximum_length_is_read_and_written() -> None:
    name, value = "A" * LONGEST_TAG_NAME_CHARACTERS, '"' * LONGEST_TAG_VALUE_CHARACTERS
    move = "a" * LONGEST_MOVE_CHARACTERS
    record = read_record(f'{HEAD}[{name} "{value.replace(chr(34), chr(92) + chr(34))}"]\n{move} *')
    assert record.tags == {name: value} and record.moves == (move,)
    assert read_record(write_record(record)) == record


@pytest.mark.parametrize(
    "written", ["1.c4-a4", "1. c4-a4", "1...c4-a4", "0012.c4-a4", "1. 1. c4-a4", "17... c4-a4"]
)
def test_a_number_before_a_move_is_ignored(written: str) -> None:
    assert read_record(f"{HEAD}{written}").moves == ("c4-a4",)


def test_the_patterns_of_a_record_take_few_steps_for_a_long_run() -> None:
    for pattern, text in (
        (NUMBER, "1" * MANY),
        (TAG, '[A "' + "a" * MANY),
        (TAG, '[A "' + "\\" * MANY),
    ):
        machine = Machine(pattern)
        machine.match(text)
        assert MANY < machine.steps < 10 * MANY
    machine = Machine(REMARK)
    machine.finditer("[" * MANY)
    assert MANY < machine.steps < 10 * MANY


@pytest.mark.parametrize(
    "repeated",
    ["1 ", "1. ", "a ", "~a1 ", "c4-a4 ", "c4-a4, ", "[x] ", "* ", "; x\n", "\n", ";", "a1,\n"],
)
def test_reading_a_record_of_twice_the_moves_takes_twice_the_calls(repeated: str) -> None:
    once, twice = (calls(read_record, HEAD + repeated * count) for count in (MANY, 2 * MANY))
    assert twice <= MAX_FACTOR * once + SPARE_CALLS


def test_reading_a_record_of_twice_the_tags_takes_twice_the_calls() -> None:
    once, twice = (calls(read_record, HEAD + tags(count)) for count in (500, 1_000))
    assert once > 500 and twice <= MAX_FACTOR * once + SPARE_CALLS


@pytest.mark.parametrize("key", tiers.editions())
def test_a_set_up_costs_a_few_calls_a_character_and_none_if_it_is_too_long(key: str) -> None:
    rules = rules_of(key)
    for repeated in ("1", "99", "M", "/", "1/", ",", " ", "c7,", "\n", "A", "."):
        long = repeated * 50_000
        assert calls(rules.check_setup, Seat.NORTH, long) < 200
        assert calls(canonical, rules, Seat.NORTH, long) < 200
        short = repeated * (LONGEST_SETUP_CHARACTERS // len(repeated))
        assert calls(rules.check_setup, Seat.NORTH, short) < 8 * LONGEST_SETUP_CHARACTERS
        assert calls(canonical, rules, Seat.NORTH, short) < 8 * LONGEST_SETUP_CHARACTERS


@pytest.mark.parametrize("key", ["lattaque-en", "domino", "tactique", "assaut"])
@pytest.mark.parametrize("repeated", ["9", "1 ", "/", "a1,", "shuttle=", "~", "d6,"])
def test_a_position_that_is_too_long_is_refused_at_once(key: str, repeated: str) -> None:
    assert calls(read_position, rules_of(key), repeated * 50_000) < 20
    assert calls(read_path, rules_of(key), repeated * 50_000) < 40
    assert calls(read_annotated, rules_of(key), repeated * 50_000) < 40


def test_a_number_of_thousands_of_digits_is_refused() -> None:
    for rules in editions():
        board = "/".join(str(rules.board.files) for _ in range(rules.board.ranks))
        for text in (f"{board} S {DIGITS} 0", f"{board} S 0 0 {DIGITS}", f"{DIGITS} S 0 0"):
            for limited in (text, text.replace(DIGITS, DIGITS[:3_900])):
                with pytest.raises(Refusal):
                    read_position(rules, limited)
        with pytest.raises(Refusal):
            read_path(rules, f"a{DIGITS}-a5")
        assert rules.check_setup(Seat.NORTH, DIGITS[:1_000])
    for digits in (DIGITS, DIGITS[:1_900]):
        with pytest.raises(BadRecord):
            check_record(read_record(f'{HEAD}[Switches "limit={digits}"]\n*'))
    with pytest.raises(BadRecord):
        read_record(f"{HEAD}{DIGITS}. c4-a4")
    assert answer_line(f'{{"preset": "domino", "switches": {{"limit": {DIGITS}}}}}'.encode()) == {
        "error": "This line is not a JSON object."
    }
