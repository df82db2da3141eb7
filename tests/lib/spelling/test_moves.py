"""A move reads the same on a page, in an e-mail and in a record, however it is spelled."""

import pytest

from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import UnreadableMove
from games.rules.core.text import notation
from games.rules.core.text.game_record import read_record
from games.rules.registry import ruleset
from tests.mail.reading.reader import read_line

RULES = ruleset("lattaque-en")

WALKS = """
a4-a5|a4–a5|a4—a5|a4−a5|a4‑a5|a4‒a5|a4―a5|a4－a5|a4﹣a5|a4⁻a5|a4־a5|a4⸺a5|a4ーa5|a4─a5
a4 - a5|A4 – A5|a4→a5|a4 ⇒ a5|a4->a5|a4-->a5|a4⟶a5|a4🡒a5|a4 ➡️ a5|a4>a5|a4 to a5|A4 TO A5
a4 nach a5|a4 à a5|a4 vers a5|a4到a5|a4 至 a5|ａ４－ａ５|ａ４ａ５|a４-a５|a٤-a٥|a४-a५|a4\xa0a5
a4\u3000a5|a4\u200b-a5|a4\u00ad-a5|\u200fa4-a5|a4-\u200da5|\ufeffa4-a5|a4\u2060-a5|a4\u2009–\u2009a5
a4-a5.|a4-a5。|a4–a5!|a4-a5！|a4-a5,|a4-a5;|“a4-a5”|„a4-a5“|«a4-a5»|'a4-a5'|´a4-a5´
1. a4-a5|12. a4–a5|12... a4-a5|- a4-a5|• a4-a5|move a4-a5|Zug: a4-a5|coup a4-a5|走 a4-a5|𝐚𝟒-𝐚𝟓
""".strip()
ATTACKS = """
a4xa5|a4×a5|a4✕a5|a4✖️a5|a4⨯a5|a4⨉a5|a4 X a5|a4ｘa5|a4:a5|a4：a5|a4 takes a5|a4 schlägt a5|a4❌a5
a4 schlaegt a5|a4 prend a5|a4吃a5|a4 × a5.|A4×A5!|a4╳a5
""".strip()


def texts(table: str) -> list[str]:
    return [text for line in table.split("\n") for text in line.split("|")]


@pytest.mark.parametrize("text", texts(WALKS) + texts(ATTACKS))
def test_a_page_and_an_email_read_the_same_squares(text: str) -> None:
    path = notation.read_path(RULES, text)
    assert [RULES.board.names[cell] for cell in path.squares] == ["a4", "a5"]
    command = read_line(text)
    assert command is not None and command.squares == ("a4", "a5")


@pytest.mark.parametrize("text", texts(ATTACKS))
def test_a_cross_or_its_word_claims_an_attack(text: str) -> None:
    command = read_line(text)
    assert command is not None and command.claims_capture
    assert notation.read_annotated(RULES, text).attack


@pytest.mark.parametrize("text", ["huff d6 c4-c5", "*d6,c4–c5", "*d6，c4－c5", "Puste d6, c4→c5."])
def test_a_huff_has_its_words_on_pages_too(text: str) -> None:
    path = notation.read_path(RULES, text)
    assert path.huffed == RULES.board.index["d6"] and len(path.squares) == 2


@pytest.mark.parametrize("text", ["a4 – z5", "а4-а5", "a4 and a5", "say a4-a5", "a4–", "—", "a4"])
def test_other_texts_are_no_moves(text: str) -> None:
    try:
        path = notation.read_path(RULES, text)
    except UnreadableMove:
        return
    assert len(path.squares) < 2


@pytest.mark.parametrize(
    "moves",
    [
        "1. a4–a5 j7—j6 2. a5×a6",
        "1. a4 - a5 j7 - j6 2. a5 x a6",
        "1．a4－a5　j7－j6　2．a5ｘa6",
        "1. a4 to a5 j7→j6 2. a5 takes a6",
        "1. a4 a5 j7 j6 2. a5 :a6",
        "1.\xa0a4\u2011a5 j7\u200b\u2212j6 2… a5✕ a6",
    ],
)
def test_a_record_can_spell_its_moves_this_way(moves: str) -> None:
    record = read_record(f"[System “lattaque‑en”]\n[South „Ann“]\n\n{moves} *")
    assert record.edition == "lattaque-en"
    squares = [
        [RULES.board.names[cell] for cell in notation.read_path(RULES, move).squares]
        for move in record.moves
    ]
    assert squares == [["a4", "a5"], ["j7", "j6"], ["a5", "a6"]]


def test_a_lost_battle_does_not_swallow_the_next_move() -> None:
    record = read_record('[System "lattaque-en"]\n\n1. a4xa9[RvK]- b7-b6 *')
    assert record.moves == ("a4xa9[RvK]-", "b7-b6")


def test_a_set_up_may_have_full_width_signs_and_other_slashes() -> None:
    rules = ruleset("tactique")
    text = "2VA3I/PIPPPIFI/CIPVACAP/IIPVIAPV"
    canonical, faults = rules.parse_setup(Seat.SOUTH, text)
    assert not faults
    full_width = "".join(chr(ord(sign) + 0xFEE0) for sign in text)
    for typed in (
        full_width,
        text.replace("2", "..").replace("3", "·_·"),
        text.replace("/", "∕"),
        text.replace("/", "\r\n"),
        f"\ufeff{text}\u200b",
    ):
        assert rules.parse_setup(Seat.SOUTH, typed) == (canonical, [])
