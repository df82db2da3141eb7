"""Lines of the practice board as lines of a plan."""

import pytest

from games.plan_language.lines import write_line
from games.plan_language.reading import read_line
from games.play.practice.plan_text import Shows, plan_line
from games.rules.core.basics.pieces import Seat
from games.rules.registry import ruleset

LINE = ("e7-e6", "d5xe6[RvM]-", "e6xd4[MvY]-", "c3-c4", "b7-b6")


@pytest.mark.parametrize(
    ("shows", "text"),
    [
        (Shows.ANY, "if e7-e6 then d5xe6 if e6xd4 then c3-c4"),
        (Shows.RESULT, "if e7-e6 then d5xe6- if e6xd4- then c3-c4"),
        (Shows.RANK, "if e7-e6 then d5xe6[M] if e6xd4[M] then c3-c4"),
    ],
)
def test_conditions_and_answers_name_what_has_to_come_true(shows: Shows, text: str) -> None:
    rules = ruleset("lattaque-en")
    assert plan_line(rules, Seat.SOUTH, LINE, shows) == text
    assert write_line(read_line(text)) == text


def test_the_last_answer_has_no_condition_after_it() -> None:
    rules = ruleset("lattaque-en")
    assert plan_line(rules, Seat.SOUTH, LINE[:2], Shows.RANK) == "if e7-e6 then d5xe6"
    decisive = ("e7-e6", "d5xe6[RvF]#")
    assert plan_line(rules, Seat.SOUTH, decisive, Shows.RESULT) == "if e7-e6 then d5xe6"


def test_a_line_without_an_answer_is_no_plan() -> None:
    rules = ruleset("lattaque-en")
    assert plan_line(rules, Seat.SOUTH, LINE[:1], Shows.ANY) == ""
    assert plan_line(rules, Seat.SOUTH, (), Shows.ANY) == ""


def test_ranks_are_named_as_in_battles_and_volleys_are_left_out() -> None:
    tactique = ruleset("tactique")
    line = ("e7-e6 ~e6", "d5xe6[PvI']+", "c6-c5 ~c5!", "d2-d5xe5[CvV]+d", "a7-a6", "a1-a2")
    assert plan_line(tactique, Seat.SOUTH, line, Shows.RANK) == (
        "if e7-e6 then d5xe6[I'] if c6-c5 then d2-d5xe5[V] if a7-a6 then a1-a2"
    )
    assert "+d if a7-a6" in plan_line(tactique, Seat.SOUTH, line, Shows.RESULT)
    domino = ruleset("domino")
    tiles = ("c8xc7[40v31]+", "b3xc7[55v40]+", "d8-d7", "a3-a4")
    assert plan_line(domino, Seat.SOUTH, tiles, Shows.RANK) == (
        "if c8xc7[40] then b3xc7[40] if d8-d7 then a3-a4"
    )


def test_moves_of_assaut_are_copied_unchanged() -> None:
    line = ("c5xc3xe5", "*d6,c4-c5", "e7-d7", "c4-c5")
    assert plan_line(ruleset("assaut"), Seat.SOUTH, line, Shows.RANK) == (
        "if c5xc3xe5 then *d6,c4-c5 if e7-d7 then c4-c5"
    )
