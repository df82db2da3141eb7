"""Game records: read, written, replayed and checked."""

from dataclasses import replace
from pathlib import Path

import pytest

from games.rules.__main__ import main
from games.rules.core.basics.pieces import BySeat
from games.rules.core.basics.refusals import BadRecord
from games.rules.core.text.game_record import (
    Record,
    annotated,
    check,
    read_record,
    replay,
    write_record,
)
from games.rules.registry import check_record, ruleset_of
from tests import tiers
from tests.rules.shortcuts import recorded, rules_of

SOUTH = "2VA3I/PIPPPIFI/CIPVACAP/IIPVIAPV"
NORTH = "IPVAVVAP/FIIAPPIP/IIPICCIV/P1PA4"
RULES = rules_of("tactique")
PLAIN = Record("tactique", setups=BySeat(SOUTH, NORTH), moves=("c4-a4", "g6-g5"))


def test_a_record_has_the_format_of_chess_records() -> None:
    record = Record(
        "lattaque-zh",
        {"two_square": 5, "spy_both": True},
        {"South": "Anna", "North": 'Bert "B."'},
        BySeat("RRR", None),
        ("a4-a5", "j7-j6", "a5-a6"),
        "S",
        "resigned",
    )
    assert write_record(record) == (
        '[System "lattaque-zh"]\n'
        '[Switches "two_square=5, spy_both=true"]\n'
        '[South "Anna"]\n'
        '[North "Bert \\"B.\\""]\n'
        '[SetupS "RRR"]\n'
        '[Result "S"]\n'
        '[Reason "resigned"]\n'
        "\n"
        "1. a4-a5 j7-j6 2. a5-a6 S\n"
    )
    assert read_record(write_record(record)) == record


def test_remarks_stay_with_their_moves_and_before_the_first() -> None:
    record = annotated(RULES, PLAIN)
    assert record.opening == "~d6 ~c5"
    assert record.moves == ("c4-a4 ~b4", "g6-g5") or record.moves[0].startswith("c4-a4")
    assert read_record(write_record(record)) == record
    assert check(RULES, record) == check(RULES, PLAIN)


def test_blank_lines_comments_and_tags_on_one_line_are_read() -> None:
    text = (
        '; from the archive\n\n[System "tactique"] [South "Anna"] ; two on a line\n'
        f'[SetupS "{SOUTH}"] [SetupN "{NORTH}"]\n\n1. c4-a4 ; a comment\n1... g6-g5 *'
    )
    record = read_record(text)
    assert record.moves == ("c4-a4", "g6-g5")
    assert record.tags == {"South": "Anna"}
    assert check_record(record).ply == 2
    assert ruleset_of(record) is RULES


def test_a_long_record_is_wrapped() -> None:
    record = Record("domino", moves=("a3-a4",) * 60)
    text = write_record(record)
    assert max(map(len, text.splitlines())) <= 80
    assert read_record(text) == record


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1. a4-a5",
        '[South "Anna"]\n1. a4-a5 *',
        '[System "tactique"] [Result "S"]\n1. a4-a5 N',
        '[System "tactique"] [Switches "faceup"]\n*',
    ],
)
def test_other_texts_are_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        read_record(text)


def test_a_record_without_both_set_ups_cannot_be_replayed() -> None:
    with pytest.raises(BadRecord):
        check(RULES, Record("tactique", setups=BySeat(SOUTH, None)))


def test_the_first_illegal_move_is_named() -> None:
    record = Record("tactique", setups=BySeat(SOUTH, NORTH), moves=("c4-a4", "a1-a2"))
    with pytest.raises(BadRecord) as caught:
        check(RULES, record)
    assert str(caught.value) == ("Move 1, a1-a2, cannot be played: The piece on a1 is not yours.")


def test_a_bad_set_up_is_named() -> None:
    with pytest.raises(BadRecord) as caught:
        check(RULES, Record("tactique", setups=BySeat(SOUTH, NORTH.replace("F", "C"))))
    assert str(caught.value) == "SetupN: One Commander too many is on the board."


HEAD = f'[System "tactique"]\n[SetupS "{SOUTH}"]\n[SetupN "{NORTH}"]\n'


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            f"{HEAD}\n1. c4-a4\n   g6-g5 ; so far\n2. a1-h8 *",
            "Line 7, move 2, a1-h8, cannot be played: ",
        ),
        (f"{HEAD}1. c4-a4 nonsense", "Line 4, move 1, nonsense, cannot be played: “nonsense” is n"),
        (
            f"{HEAD}1. c4-a4 S\n\n2. a1-a2",
            "Line 6: Nothing may follow the result S, but here is a1-",
        ),
        (f"{HEAD}1. c4-a4 S", "Line 4: The record says that the game is over, but its moves do"),
        (f'{HEAD}[Result "1-0"]\n*', "Line 4, Result: A result is written S, N, O, draw, *, not"),
        (f'{HEAD}[Result "S"]\n\n*', "Line 6: The record gives two results, S and *."),
        (f'{HEAD}[Result "O"]\n[Reason "time"]', "Line 4: The result O does not fit the"),
        (f'{HEAD}[Result "draw"] [Reason "time"]', "Line 4: The result draw does not fit the"),
        (f'{HEAD}[SetupN "{SOUTH}"]', "Line 4: The record contains SetupN twice."),
        (f"{HEAD}[South Anna]", "Line 4: Text in square brackets is written [Name"),
        (
            f'{HEAD}[Switches "volley"]',
            "Line 4, Switches: “volley” is not a rule option; one is written",
        ),
        (
            f'{HEAD}[Switches "volley=9"]',
            "Line 4, Switches: The rule option volley has no value 9; it",
        ),
        (f'{HEAD}[Switches "a=b"]', "Line 4, Switches: "),
        (
            '\n[System "chess"]',
            "Line 2, System: There are no rules called chess; there are lattaque-en, ",
        ),
        (HEAD.replace("2VA3I", "2VA4I"), "Line 2, SetupS: Row 4 has 9 squares, and it should"),
        (HEAD.replace("SetupN", "North"), "The record lacks a set-up, SetupN, so it cannot be"),
    ],
)
def test_a_bad_record_names_line_move_and_reason(text: str, sentence: str) -> None:
    with pytest.raises(BadRecord) as caught:
        check_record(read_record(text))
    assert str(caught.value).startswith(sentence)


@pytest.mark.parametrize(
    "moves",
    [
        "c4-a4 g6-g5",
        "1.c4-a4 1...g6-g5 *",
        "1. c4-a4\n; all of this line is nothing [x] * S\n~b4 g6-g5",
        "~d6 ~c5 1. c4-a4 ~b4 g6-g5 *",
        "1. C4a4 g6g5",
        "1.\r\nc4-a4\r\n2. g6-g5\r\n",
        "c4-a4 [AvA]= g6-g5[nonsense]",
    ],
)
def test_moves_may_be_written_in_many_ways(moves: str) -> None:
    record = read_record(f"\ufeff{HEAD}{moves}")
    assert [step.position for step in replay(RULES, record)] == [
        step.position for step in replay(RULES, PLAIN)
    ]


def test_a_huff_may_be_separated_from_its_move() -> None:
    moves = ("d5-d6", "c7-c6", "*e7, c4-d5")
    text = f'[System "assaut"] [SetupN "c7,e7"]\n{" ".join(moves)}'
    assert read_record(text).moves[-1] == "*e7,c4-d5"


def test_the_result_may_be_in_either_place_or_missing() -> None:
    head = f'{HEAD}[Reason "resigned"]\n'
    for text in (f'{head}[Result "N"]\nc4-a4', f"{head}c4-a4 N", f'{head}[Result "N"] c4-a4 N'):
        assert check_record(read_record(text)).ply == 1
        assert read_record(text).result == "N"
    assert read_record(f"{HEAD}c4-a4").result == "*"


def test_long_texts_without_content_cost_little() -> None:
    with pytest.raises(BadRecord):
        read_record("; " * 100_000 + "\n" + "  \n" * 50_000 + "x")
    with pytest.raises(BadRecord, match="move 1"):
        check_record(read_record(f"{HEAD}c4-a4 {'~a1 ' * 60_000}"))


@pytest.mark.parametrize("key", tiers.editions())
def test_a_whole_game_of_every_edition_is_exported_and_imported(
    key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = rules_of(key)
    record, last = recorded(rules, seed=22, plies=400)
    if last.outcome is None:
        record = replace(record, result=rules.seat_letters[0], reason="resigned")
    text = write_record(record)
    again = read_record(text)
    assert again == record == annotated(ruleset_of(again), again)
    assert check_record(again)[:6] == last[:6]
    path = tmp_path / "game.txt"
    path.write_text(text, "utf-8")
    assert main(["replay", str(path)]) == 0
    assert capsys.readouterr().out.rstrip().endswith(again.result)
