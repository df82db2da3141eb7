"""Game records: in, out, and played through."""

import pytest

from games.rules.core.army import BySeat, Seat
from games.rules.core.errors import BadRecord, BadSetup
from games.rules.core.record import Record, annotated, check, read_record, replay, write_record
from games.rules.registry import check_record, ruleset_of
from tests.rules.playing import rules_of

SOUTH = "2VA3I/PIPPPIFI/CIPVACAP/IIPVIAPV"
NORTH = "IPVAVVAP/FIIAPPIP/IIPICCIV/P1PA4"
RULES = rules_of("tactique")
PLAIN = Record("tactique", setups=BySeat(SOUTH, NORTH), moves=("c4-a4", "g6-g5"))


def test_a_record_looks_like_a_game_of_chess() -> None:
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
def test_what_is_no_record_is_refused(text: str) -> None:
    with pytest.raises(BadRecord):
        read_record(text)


def test_a_record_without_both_set_ups_cannot_be_replayed() -> None:
    with pytest.raises(BadRecord):
        check(RULES, Record("tactique", setups=BySeat(SOUTH, None)))


def test_the_first_illegal_move_is_named() -> None:
    record = Record("tactique", setups=BySeat(SOUTH, NORTH), moves=("c4-a4", "a1-a2"))
    with pytest.raises(BadRecord) as caught:
        check(RULES, record)
    assert str(caught.value).startswith("Move 1, a1-a2, cannot be played: ")


def test_a_bad_set_up_is_refused_as_one() -> None:
    with pytest.raises(BadSetup):
        check(RULES, Record("tactique", setups=BySeat(SOUTH, NORTH.replace("F", "C"))))


def test_a_result_that_the_moves_do_not_bear_out_is_refused() -> None:
    won = Record("tactique", setups=PLAIN.setups, moves=PLAIN.moves, result="S")
    with pytest.raises(BadRecord):
        check(RULES, won)
    resigned = Record(
        "tactique", setups=PLAIN.setups, moves=PLAIN.moves, result="S", reason="resigned"
    )
    assert check(RULES, resigned).outcome is None


def test_a_finished_game_must_name_its_own_end() -> None:
    rules = rules_of("assaut", limit=1)
    record = Record(
        "assaut",
        {"limit": 1},
        setups=BySeat(None, "c7,e7"),
        moves=("c4-c5", "c7-c6"),
        result="draw",
        reason="no progress",
    )
    assert check(rules, record).outcome == (None, "no progress")
    wrong = Record("assaut", {"limit": 1}, {}, record.setups, record.moves, "S", "time")
    with pytest.raises(BadRecord) as caught:
        check(rules, wrong)
    assert str(caught.value) == "By its moves the game ends draw, no progress."


def test_replay_gives_every_position() -> None:
    steps = list(replay(RULES, PLAIN))
    assert [position.ply for position, _ in steps] == [0, 1, 2]
    assert steps[1][0].turn is Seat.NORTH
