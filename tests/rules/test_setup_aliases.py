"""Set-up aliases: Gravon's letters and the numbered ranks of the Chinese edition."""

import pytest

from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.refusals import BadRecord, BadSetup
from games.rules.core.text.game_record import Record, read_record
from games.rules.core.text.setup_aliases import canonical, in_canonical
from games.rules.referee import answer
from tests.rules.shortcuts import rules_of

RULES = rules_of("lattaque-en")
SOUTH = "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES"
NORTH = "LFRCRRKLK1/GBBJC1SERB/ELKS1RREKR/MEJSY1LSBR"
# a1 to j1, a2 to j2, and so on.
LOWER = "GKIIHCDHEF" + "HGDFHBDABF" + "EBMGGLAEJB" + "DDDADADFJE"
WATER = "AA__AA__AA" * 2
NUMBERED = "999.9.9738/8BF661.83B/5697 5B9.B7/62445S9587"


def board(south: str, north: str) -> str:
    """Gravon's letters of two set-up texts, made the other way round."""
    red = dict(zip("BYRESLKJCGMF", "BCDEFGHIJKLM", strict=True))
    halves = []
    for text, shift in ((south, 0), (north, 12)):
        rows = []
        for row in text.split("/"):
            signs = ""
            for sign in row.replace("10", "1" * 10):
                signs += "A" * int(sign) if sign.isdigit() else chr(ord(red[sign]) + shift)
            rows.append(signs)
        halves.append("".join(reversed(rows)))
    return halves[0] + WATER + halves[1]


WHOLE = board(SOUTH, NORTH)


def test_the_letters_are_those_of_the_list() -> None:
    assert board(SOUTH, NORTH)[:40] == LOWER
    assert len(WHOLE) == 100


@pytest.mark.parametrize(
    ("seat", "text", "meant"),
    [
        (Seat.SOUTH, WHOLE, SOUTH),
        (Seat.NORTH, WHOLE, NORTH),
        (Seat.SOUTH, WHOLE.lower(), SOUTH),
        (Seat.SOUTH, "\n".join(WHOLE[i : i + 10] for i in range(0, 100, 10)), SOUTH),
        (Seat.SOUTH, WHOLE.replace("_", "A"), SOUTH),
        (Seat.SOUTH, WHOLE[:60] + "A" * 40, SOUTH),
        (Seat.NORTH, "A" * 40 + WHOLE[40:], NORTH),
        (Seat.SOUTH, WHOLE[:40], SOUTH),
        (Seat.NORTH, WHOLE[60:], NORTH),
    ],
)
def test_a_board_in_gravons_letters_gives_each_side_its_army(
    seat: Seat, text: str, meant: str
) -> None:
    assert canonical(RULES, seat, text) == meant


def test_an_army_of_the_other_side_is_turned_by_half_a_circle() -> None:
    northern = "/".join(row[::-1] for row in reversed(NORTH.split("/")))
    for text in (WHOLE[60:], "A" * 60 + WHOLE[60:]):
        assert canonical(RULES, Seat.SOUTH, text) == northern
    southern = "/".join(row[::-1] for row in reversed(SOUTH.split("/")))
    assert canonical(RULES, Seat.NORTH, WHOLE[:40]) == southern


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (WHOLE[:99], "A set-up in Gravon's letters has 100 of them, from a1 to k10, or the 40"),
        (WHOLE[:39], "A set-up in Gravon's letters has 100 of them, from a1 to k10, or the 40"),
        ("Z" + WHOLE[1:], "“Z” on a1 is not one of Gravon's letters, which are A to Y."),
        (WHOLE[:44] + "B" + WHOLE[45:], "There is a piece on e5, outside the four rows of each"),
    ],
)
def test_an_incorrect_gravon_text_is_refused(text: str, sentence: str) -> None:
    with pytest.raises(BadSetup) as caught:
        canonical(RULES, Seat.SOUTH, text)
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize("text", [NUMBERED, NUMBERED.replace("/", "\n"), NUMBERED.lower()])
def test_the_numbers_of_the_chinese_edition_are_ranks(text: str) -> None:
    assert canonical(RULES, Seat.SOUTH, text) == SOUTH


def test_a_row_of_numbers_has_a_sign_for_every_square() -> None:
    with pytest.raises(BadSetup) as caught:
        canonical(RULES, Seat.NORTH, NUMBERED.replace("62445S9587", "62445S958"))
    assert str(caught.value).startswith("Row 7 has 9 characters; with numbers for the ranks it")


def test_the_board_of_nine_files_has_numbers_too() -> None:
    south = "SBRKRRBES/EMSFCYRBK/KGCRKBELE/RLLJSRLRJ"
    numbered = "7B9599B87/817F3S9B5/52395B868/966479694"
    assert canonical(rules_of("lattaque-gibson"), Seat.SOUTH, numbered) == south


@pytest.mark.parametrize("text", [SOUTH, "10/10/10/F9", "1S1B1F/10/10/10", "", "?", "a/b", "S9"])
def test_every_other_text_stays_unchanged(text: str) -> None:
    assert canonical(RULES, Seat.SOUTH, text) == text


def test_other_games_have_no_aliases() -> None:
    assert canonical(rules_of("tactique"), Seat.SOUTH, WHOLE) == WHOLE


def test_a_record_may_contain_a_board_in_gravons_letters() -> None:
    record = Record("lattaque-en", setups=BySeat(WHOLE, WHOLE))
    assert in_canonical(RULES, record).setups == BySeat(SOUTH, NORTH)
    bad = read_record(f'[System "lattaque-en"]\n[SetupS "{WHOLE[:50]}"]')
    with pytest.raises(BadRecord) as caught:
        in_canonical(RULES, bad)
    assert str(caught.value).startswith("Line 2, SetupS: A set-up in Gravon's letters has 100")


def test_the_referee_accepts_no_aliases() -> None:
    with pytest.raises(BadSetup):
        answer({"preset": "lattaque-en", "setup": [WHOLE, WHOLE]})
