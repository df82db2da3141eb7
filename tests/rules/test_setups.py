"""Set-ups: all faults of one are listed at once, a sentence each."""

import pytest

from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadSetup
from games.rules.core.text.notation import read_setup
from tests.rules.shortcuts import rules_of

ENGLISH = rules_of("lattaque-en")
SOUTH = "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES"
KEYS = [rules.key for rules in registry.editions()]
TACTIQUE = "2VA3I/PIPPPIFI/CIPVACAP/IIPVIAPV"


def faults(key: str, text: str, seat: Seat = Seat.SOUTH) -> list[str]:
    return [str(fault) for fault in rules_of(key).check_setup(seat, text)]


def test_a_valid_set_up_has_no_faults() -> None:
    assert faults("lattaque-en", SOUTH) == []
    assert faults("lattaque-en", SOUTH.lower()) == []
    assert faults("lattaque-en", SOUTH.replace("/", "\n")) == []
    assert faults("lattaque-en", SOUTH, Seat.NORTH) == []


def test_missing_and_surplus_pieces_are_counted_in_words() -> None:
    assert faults("lattaque-en", SOUTH.replace("B", "S")) == [
        "Four Sergeants too many are on the board.",
        "Four Bombs are left to place.",
    ]
    assert faults("lattaque-en", SOUTH.replace("F", "1")) == ["One Flag is left to place."]
    assert faults("lattaque-en", SOUTH.replace("F", "M")) == [
        "One Marshal too many is on the board.",
        "One Flag is left to place.",
    ]
    assert faults("lattaque-en", SOUTH.replace("C", "Y")) == [
        "Two Colonels are left to place.",
        "Two Spies too many are on the board.",
    ]


def test_rows_of_a_wrong_length_are_named() -> None:
    assert faults("lattaque-en", "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS") == [
        "A set-up of this game has 4 rows with slashes between them, and this one has 3."
    ]
    assert faults("lattaque-en", SOUTH.replace("RRR1R", "RRR2R")) == [
        "Row 4 has 11 squares, and it should have 10."
    ]
    assert faults("lattaque-en", SOUTH.replace("/KL", "/KQ"), Seat.NORTH) == [
        "Row 8 has “Q”, and no piece of this game has that sign."
    ]
    assert faults("lattaque-en", SOUTH.replace("M", "M!")) == [
        "Row 3 has “!”, and no piece of this game has that sign."
    ]
    assert faults("lattaque-en", SOUTH.replace("RRR1R", "RRR~R")) == [
        "Row 4 has “~”, and no piece of this game has that sign."
    ]
    assert len(faults("lattaque-en", "99" * 100_000)) == 1


def test_a_refusal_lists_all_faults() -> None:
    with pytest.raises(BadSetup) as caught:
        read_setup(ENGLISH, Seat.SOUTH, SOUTH.replace("C", "Y"))
    assert [str(fault) for fault in caught.value.faults] == [
        "Two Colonels are left to place.",
        "Two Spies too many are on the board.",
    ]
    assert str(caught.value) == "Two Colonels are left to place."
    assert caught.value.values["pieces"] == "Colonels"


def test_gibsons_board_is_completely_filled() -> None:
    assert len(rules_of("lattaque-gibson").zone(Seat.SOUTH)) == 36


def test_the_zone_is_in_the_order_of_the_text() -> None:
    assert ENGLISH.zone(Seat.SOUTH)[:2] == ("a4", "b4")
    assert ENGLISH.zone(Seat.SOUTH)[-1] == "j1"
    assert ENGLISH.zone(Seat.NORTH)[0] == "a10"
    assert ENGLISH.zone(Seat.NORTH)[-1] == "j7"
    assert rules_of("assaut").zone(Seat.NORTH)[0] == "c7"
    assert rules_of("assaut").zone(Seat.SOUTH) == ()


def test_in_tactique_three_rows_are_full_and_three_pieces_are_in_front() -> None:
    assert faults("tactique", TACTIQUE) == []
    assert faults("tactique", "2VAI2I/PIPPPIF1/CIPVACAP/IIPVIAPV") == [
        "Row 3 must be full, and square h3 is empty.",
        "Row 4 needs three pieces, and it has 4.",
    ]
    north = "IPVAVVAP/FIIAPPIP/IIPICCIV/P1PA4"
    assert faults("tactique", north, Seat.NORTH) == []
    assert faults("tactique", north)[0] == "Row 1 must be full, and square b1 is empty."


def test_a_demoted_piece_is_never_set_up() -> None:
    assert faults("tactique", TACTIQUE.replace("2VA", "2V'A")) != []
    assert faults("tactique", TACTIQUE.replace("2VA", "2WA")) != []


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("word", ["a ", "/", "1"])
def test_a_long_text_costs_no_more_than_a_set_up(key: str, word: str) -> None:
    """Not in the memory that its faults take, either: 800 kB of them once took a gigabyte."""
    refused = faults(key, word * 400_000)
    assert len(refused) == 1 and refused[0].startswith("A set-up has at most 1000 characters")


@pytest.mark.parametrize("key", KEYS)
def test_at_most_twenty_faults_are_listed(key: str) -> None:
    for word in ("a ", "a,", "/", "x"):
        assert 1 <= len(faults(key, word * (1_000 // len(word)))) <= 20
