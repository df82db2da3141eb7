"""Judging: which line fits a turn, by the public text of the turn alone."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.plan_language.lines import Line, write_line
from games.plan_language.reading import read_line
from games.play.plans.judging import after_own, judge
from games.play.plans.merging import merge
from games.rules.registry import ruleset
from tests.floors import at_least

FITS = {
    "lattaque-en": {
        "e7-e6": (["e7-e6"], ["e7-e5", "e8-e6", "e7xe6[RvS]-", "e6-e7"]),
        "e7xe4": (["e7xe4[RvS]-", "e7xe4[MvK]+", "e7xe4[KvK]="], ["e7-e4", "e7xe3[RvS]-"]),
        "e7xe4+": (["e7xe4[MvK]+"], ["e7xe4[RvS]-", "e7xe4[KvK]=", "e7xe4[KvF]#"]),
        "e7xe4-": (["e7xe4[RvS]-"], ["e7xe4[MvK]+", "e7xe4[KvK]="]),
        "e7xe4=": (["e7xe4[KvK]="], ["e7xe4[RvS]-", "e7xe4[MvK]+"]),
        # The enemy's piece is the attacker here; the defender is my own.
        "e7xe4[M]": (["e7xe4[MvK]+", "e7xe4[MvB]-"], ["e7xe4[GvK]+", "e7xe4[GvM]-"]),
        "e7xe4[M,R]": (["e7xe4[MvK]+", "e7xe4[RvK]-"], ["e7xe4[KvR]+"]),
        "xe4": (["e7xe4[RvS]-", "e5xe4[MvK]+"], ["e7-e4", "e4xe3[MvK]+", "e7xe5[RvS]-"]),
        "xe4-": (["e7xe4[RvS]-", "d4xe4[RvS]-"], ["d4xe4[MvS]+"]),
        "xe4[R,E]": (["e7xe4[RvS]-", "d4xe4[EvB]+"], ["d4xe4[MvR]+"]),
        "quiet": (["e7-e6", "e9-e3"], ["e7xe4[RvS]-"]),
        "any": (["e7-e6", "e7xe4[RvS]-"], []),
    },
    "domino": {
        "c8-c7": (["c8-c7"], ["c8-d8", "c8xc7[40v13]+"]),
        "xc3[40]": (["c4xc3[40v13]+"], ["c4xc3[04v13]-", "c4xc3[13v40]+"]),
        "c4xc3[40,04]": (["c4xc3[40v13]+", "c4xc3[04v13]-"], ["c4xc3[41v13]+"]),
        "c4xc3=": (["c4xc3[31v13]="], ["c4xc3[40v13]+"]),
        "quiet": (["c8-c7"], ["c4xc3[31v13]="]),
        "any": (["c8-c7", "c4xc3[31v13]="], []),
    },
    "tactique": {
        "d7-d5xe5": (["d7-d5xe5[VvP]+d"], ["d5xe5[VvP]+d", "d7-e7xe5[VvP]+d", "d7-d5"]),
        "d4xd5": (["d4xd5[IvP]-d"], ["d4-d5", "c4-d4xd5[IvP]-d"]),
        # A demotion is no capture, and the other way round.
        "xe5+": (["d5xe5[VvA]+", "d7-d5xe5[VvP']+"], ["d5xe5[VvP]+d"]),
        "xe5+d": (["d5xe5[VvP]+d"], ["d5xe5[VvP']+", "d5xe5[IvP]-d"]),
        "xe5-d": (["d5xe5[IvP]-d"], ["d5xe5[I'vP]-", "d5xe5[VvP]+d"]),
        "xe5-": (["d5xe5[I'vP]-"], ["d5xe5[IvP]-d"]),
        "xe5[I']": (["d5xe5[I'vP]-"], ["d5xe5[IvP]-d", "d5xe5[PvI']+"]),
        "xe5[I,I']": (["d5xe5[I'vP]-", "d5xe5[IvP]-d"], ["d5xe5[VvP]+d"]),
        # An archer's hit belongs to the text of the move behind which it stands.
        "d7-d6": (["d7-d6", "d7-d6 ~d6", "d7-d6 ~d6 ~e5!"], ["d7-d5 ~d6"]),
        "quiet": (["d7-d6"], ["d7-d6 ~d6", "d7-d6 ~c4!", "d5xe5[VvP]+d"]),
        "xd6": (["d7xd6[VvP]+d ~c4"], ["d7-d6 ~d6", "c6-c5 ~d6!"]),
        "any": (["d7-d6 ~d6", "d7-d6", "d5xe5[VvP]+d"], []),
    },
    "assaut": {
        "c5-c4": (["c5-c4"], ["c5xc3", "c5-d4"]),
        "c5xc3": (["c5xc3"], ["c5xc3xe5", "c5-c3", "e5xc3"]),
        "c5xc3xe5": (["c5xc3xe5"], ["c5xc3", "c5xe3xe5"]),
        # A jump strikes what it jumps over, not where it lands.
        "xc4": (["c5xc3", "c5xc3xe5", "e3xc5xc3"], ["c5xe3", "c4-c5", "c4xa4"]),
        "xd4": (["c5xc3xe5", "c5xe3"], ["c5xc3", "d4xb4"]),
        "*d6,c4-c5": (["*d6,c4-c5"], ["c4-c5", "*d6,d4-d5", "*e6,c4-c5", "*d6"]),
        "*d6": (["*d6"], ["*d6,c4-c5"]),
        "xd6": (["*d6,c4-c5", "*d6"], ["c5-d6", "*c6,c4-c5"]),
        "quiet": (["c5-c4"], ["c5xc3", "*d6,c4-c5", "*d6"]),
        "any": (["c5-c4", "c5xc3xe5", "*d6,c4-c5"], []),
    },
}
CASES = [
    (edition, condition, text, fitting)
    for edition, conditions in FITS.items()
    for condition, both in conditions.items()
    for fitting, texts in zip((True, False), both, strict=True)
    for text in texts
]


@pytest.mark.parametrize(("edition", "condition", "text", "fitting"), CASES)
def test_a_condition_fits_a_turn(edition: str, condition: str, text: str, fitting: bool) -> None:
    line = read_line(f"if {condition} then a1-a2")
    judged = judge(ruleset(edition), [line], text)
    assert (judged is not None) is fitting
    assert not judged or (judged.answer, judged.lines) == ("a1-a2", (line,))


def test_there_are_many_cases_of_each_game() -> None:
    for edition in FITS:
        at_least(15, [case for case in CASES if case[0] == edition])


def lines(*texts: str) -> tuple[Line, ...]:
    return merge([read_line(text) for text in texts]).lines


def written_lines(plan: tuple[Line, ...]) -> list[str]:
    return [write_line(line) for line in plan]


LATTAQUE = ruleset("lattaque-en")


def test_the_first_condition_that_fits_decides() -> None:
    plan = lines(
        "otherwise a1-a2",
        "if quiet then a1-a3",
        "if xe4 then a1-a4",
        "if xe4- then a1-a5",
        "if xe4[M] then a1-a6",
        "if e7xe4 then a1-a7",
        "if e7xe4+ then a1-a8",
        "if e7xe4[M] then a1-a9",
    )
    answers = {
        "e7xe4[MvK]+": "a1-a9",
        "e7xe4[GvK]+": "a1-a8",
        "e7xe4[GvM]-": "a1-a7",
        "e5xe4[MvK]+": "a1-a6",
        "e5xe4[GvM]-": "a1-a5",
        "e5xe4[GvK]+": "a1-a4",
        "e7-e6": "a1-a3",
        "e7xe3[GvK]+": "a1-a2",
    }
    assert {text: judge(LATTAQUE, plan, text).answer for text in answers} == answers


def test_lines_with_the_same_beginning_continue_together() -> None:
    plan = lines(
        "if e7-e6 then a1-a2 if f7-f6 then b1-b2",
        "if e7-e6 then a1-a2 if quiet then b1-b3 if any then c1-c2",
        "if quiet then a1-a2 if any then b1-b4",
    )
    judged = judge(LATTAQUE, plan, "e7-e6")
    assert judged.answer == "a1-a2"
    assert written_lines(after_own(LATTAQUE, judged.lines, "a1-a2")) == [
        "if f7-f6 then b1-b2",
        "if quiet then b1-b3 if any then c1-c2",
    ]


def test_a_plan_ends_with_its_last_answer() -> None:
    judged = judge(LATTAQUE, lines("if e7-e6 then d5xe6", "otherwise a1-a2"), "e7-e6")
    assert after_own(LATTAQUE, judged.lines, "d5xe6[GvS]+") == ()


@pytest.mark.parametrize(
    ("own", "rest"),
    {
        "d5xe6[GvS]+": ["if quiet then b1-b4", "if f7-f6 then b1-b5"],
        "d5xe6[GvM]-": ["if xe4 then b1-b2", "if quiet then b1-b3", "if f7-f6 then b1-b5"],
        "d5xe6[GvB]-": ["if quiet then b1-b3", "if f7-f6 then b1-b5"],
        "d5xe6[MvM]=": ["if xe4 then b1-b2", "if f7-f6 then b1-b5"],
        "d5xe6[GvG]=": ["if f7-f6 then b1-b5"],
    }.items(),
)
def test_the_result_of_an_answer_decides_how_the_line_continues(own: str, rest: list[str]) -> None:
    plan = lines(
        "if e7-e6 then d5xe6 if f7-f6 then b1-b5",
        "if e7-e6 then d5xe6+ if quiet then b1-b4",
        "if e7-e6 then d5xe6- if quiet then b1-b3",
        "if e7-e6 then d5xe6[M] if xe4 then b1-b2",
    )
    assert written_lines(after_own(LATTAQUE, judge(LATTAQUE, plan, "e7-e6").lines, own)) == rest


def test_the_own_piece_never_counts_as_revealed_by_an_attack() -> None:
    plan = lines("if e7-e6 then d5xe6[G] if quiet then b1-b2")
    judged = judge(LATTAQUE, plan, "e7-e6")
    assert after_own(LATTAQUE, judged.lines, "d5xe6[GvS]+") == ()
    assert after_own(LATTAQUE, judged.lines, "d5xe6[SvG]-")


def test_the_more_exact_line_after_an_attack_is_tried_first() -> None:
    plan = lines(
        "if e7-e6 then d5xe6 if c7-c6 then b1-b2",
        "if e7-e6 then d5xe6[M] if quiet then b1-b3",
    )
    rest = after_own(LATTAQUE, judge(LATTAQUE, plan, "e7-e6").lines, "d5xe6[GvM]-")
    assert judge(LATTAQUE, rest, "c7-c6").answer == "b1-b3"


def test_one_condition_keeps_one_answer_after_an_attack() -> None:
    plan = lines(
        "if e7-e6 then d5xe6 if c7-c6 then b1-b2 if any then c1-c2",
        "if e7-e6 then d5xe6[M] if c7-c6 then b1-b3 if any then c1-c3",
        "if e7-e6 then d5xe6- if c7-c6 then b1-b3 if quiet then c1-c4",
    )
    rest = after_own(LATTAQUE, judge(LATTAQUE, plan, "e7-e6").lines, "d5xe6[GvM]-")
    assert written_lines(rest) == [
        "if c7-c6 then b1-b3 if any then c1-c3",
        "if c7-c6 then b1-b3 if quiet then c1-c4",
    ]
    assert not merge(rest).clashes


def test_lines_that_cannot_match_any_more_are_removed() -> None:
    plan = lines(
        "if e7-e6 then d5xe6[M] if any then b1-b3",
        "if e7-e6 then d5xe6 if c7-c6 then b1-b2",
        "if e7-e6 then d5xe6 if any then b1-b3 if quiet then c1-c2",
    )
    rest = after_own(LATTAQUE, judge(LATTAQUE, plan, "e7-e6").lines, "d5xe6[GvM]-")
    assert written_lines(rest) == ["if any then b1-b3 if quiet then c1-c2"]


def test_a_ply_that_is_no_move_fits_no_line() -> None:
    assert judge(LATTAQUE, lines("otherwise a1-a2"), "") is None


def test_the_repr_of_a_judgement_shows_nothing_of_the_plan() -> None:
    assert "a1" not in repr(judge(LATTAQUE, lines("otherwise a1-a2"), "e7-e6"))


@given(
    st.permutations(
        [
            "otherwise a1-a2",
            "if quiet then a1-a3",
            "if xe4 then a1-a4",
            "if e7xe4[M] then a1-a5",
            "if e7xe4 then a1-a6 if any then b1-b2",
        ]
    ),
    st.sampled_from(["e7xe4[MvK]+", "e7xe4[GvM]-", "e7-e6", "a10xa9[EvB]+"]),
    st.sampled_from(["lattaque-en", "lattaque-zh", "lattaque-en-forward"]),
)
def test_judging_depends_on_the_text_alone(texts: list[str], turn: str, edition: str) -> None:
    """Whatever the order in which the lines were written, and whatever the edition."""
    expected = judge(LATTAQUE, lines(*sorted(texts)), turn)
    judged = judge(ruleset(edition), lines(*texts), turn)
    assert (judged.answer, judged.lines) == (expected.answer, expected.lines)
