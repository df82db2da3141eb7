"""Merged plans: from the most exact line, without repetitions, and with one answer each."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.plan_language.lines import Line, write_line
from games.plan_language.reading import read_line
from games.play.plans.merging import add, joined, limit_fault, merge


def lines(*texts: str) -> list[Line]:
    return [read_line(text) for text in texts]


def merged_lines(*texts: str) -> list[str]:
    result = merge(lines(*texts))
    assert not result.clashes
    return [write_line(line) for line in result.lines]


EXACT_FIRST = [
    "if e7xe4[M] then a1-a2",
    "if e7xe4+ then a1-a3",
    "if e7xe4 then a1-a4",
    "if xe4[M] then a1-a5",
    "if xe4+ then a1-a6",
    "if xe4 then a1-a7",
    "if quiet then a1-a8",
    "otherwise a1-a9",
]


def test_lines_are_sorted_from_the_most_exact_to_the_least() -> None:
    assert merged_lines(*EXACT_FIRST) == EXACT_FIRST
    assert merged_lines(*reversed(EXACT_FIRST)) == EXACT_FIRST


def test_equally_exact_lines_keep_their_order() -> None:
    written = ["if e7-e6 then a1-a2", "if *d6,c4-c5 then a1-a2", "if c7xc4 then a1-a2"]
    assert merged_lines(*written) == written
    assert merged_lines(*written[::-1]) == written[::-1]


def test_only_the_beginning_of_a_line_counts_for_the_order() -> None:
    assert merged_lines(
        "if e7-e6 then a1-a2 if any then b1-b2",
        "if d7-d6 then a1-a3",
        "if e7-e6 then a1-a2 if xb2[M] then b2-b3",
    ) == [
        "if e7-e6 then a1-a2 if xb2[M] then b2-b3",
        "if e7-e6 then a1-a2 if any then b1-b2",
        "if d7-d6 then a1-a3",
    ]


def test_lines_with_the_same_beginning_are_where_the_first_was_written() -> None:
    assert merged_lines(
        "if e7-e6 then a1-a2 if f7-f6 then b1-b2",
        "if d7-d6 then a1-a3",
        "if e7-e6 then a1-a2 if g7-g6 then b2-b3",
    ) == [
        "if e7-e6 then a1-a2 if f7-f6 then b1-b2",
        "if e7-e6 then a1-a2 if g7-g6 then b2-b3",
        "if d7-d6 then a1-a3",
    ]


def test_after_an_own_attack_ranks_come_before_a_sign_and_no_sign_is_last() -> None:
    assert merged_lines(
        "if quiet then d5xe6 if e5-e4 then b1-b2",
        "if quiet then d5xe6+ if any then b1-b3",
        "if quiet then d5xe6[M] if any then b1-b4",
    ) == [
        "if quiet then d5xe6[M] if any then b1-b4",
        "if quiet then d5xe6+ if any then b1-b3",
        "if quiet then d5xe6 if e5-e4 then b1-b2",
    ]


@pytest.mark.parametrize(
    "longer", ["if e7-e6 then d5xe6 if any then a1-a2", "if e7-e6 then d5xe6+ if any then a1-a2"]
)
def test_a_line_that_another_line_extends_is_left_out(longer: str) -> None:
    assert merged_lines("if e7-e6 then d5xe6", longer) == [longer]
    assert merged_lines(longer, "if e7-e6 then d5xe6") == [longer]


def test_a_line_written_twice_counts_once() -> None:
    assert merged_lines("if xd4[M,G] then a1-a2", "wenn x d4 [g,m] dann a1-a2") == [
        "if xd4[G,M] then a1-a2"
    ]


def test_different_results_of_an_answer_do_not_make_different_answers() -> None:
    assert len(merged_lines(
        "if e7-e6 then d5xe6+ if any then a1-a2", "if e7-e6 then d5xe6- if any then a1-a3"
    )) == 2  # fmt: skip


@pytest.mark.parametrize(
    ("earlier", "later"),
    [
        ("if e7-e6 then d5xe6", "if e7-e6 then c5-c6"),
        ("otherwise d5-d6", "if any then c5-c6"),
        ("if quiet then d5-d6 if xd4 then a1-a2", "if quiet then d5-d6 if xd4 then a1-a3"),
        ("if xd4[M,G] then d5-d6", "if xd4[G,M] then c5-c6 if any then a1-a2"),
    ],
)
def test_the_later_of_two_answers_to_one_condition_is_refused(earlier: str, later: str) -> None:
    result = merge(lines("if e8-e7 then a1-a2", earlier, later))
    assert set(result.lines) == set(lines("if e8-e7 then a1-a2", earlier))
    (clash,) = result.clashes
    assert (clash.earlier, clash.later) == (1, 2)
    assert "keep one of the two" in clash.bad.template


def test_the_same_condition_after_other_signs_may_have_another_answer() -> None:
    assert not merge(
        lines(
            "if any then d5xe6+ if quiet then a1-a2",
            "if any then d5xe6- if quiet then a1-a3",
            "if any then d5xe6 if quiet then a1-a4",
        )
    ).clashes


# --- by mail


def test_a_newer_line_replaces_the_older_one_and_its_continuations() -> None:
    older = lines(
        "if e7-e6 then d5xe6 if any then a1-a2",
        "if e7-e6 then d5xe6+ if quiet then a1-a3",
        "if d7-d6 then a1-a4",
    )
    result = add(older, lines("if e7-e6 then c5-c6"))
    assert [write_line(line) for line in result.lines] == [
        "if e7-e6 then c5-c6",
        "if d7-d6 then a1-a4",
    ]
    assert not result.clashes


def test_a_longer_newer_line_replaces_only_later_continuations() -> None:
    older = lines(
        "if e7-e6 then a1-a2 if f7-f6 then b1-b2 if any then c1-c2",
        "if e7-e6 then a1-a2 if g7-g6 then b1-b3",
    )
    result = add(older, lines("if e7-e6 then a1-a2 if f7-f6 then b1-b4"))
    assert [write_line(line) for line in result.lines] == [
        "if e7-e6 then a1-a2 if f7-f6 then b1-b4",
        "if e7-e6 then a1-a2 if g7-g6 then b1-b3",
    ]


def test_a_shorter_newer_line_replaces_nothing() -> None:
    older = lines("if e7-e6 then d5xe6 if any then a1-a2")
    assert add(older, lines("if e7-e6 then d5xe6")).lines == tuple(older)


def test_two_answers_within_one_message_are_refused() -> None:
    result = add(lines("if e7-e6 then a1-a2"), lines("if e7-e6 then a1-a3", "if e7-e6 then a1-a4"))
    assert [(clash.earlier, clash.later) for clash in result.clashes] == [(0, 1)]


# --- limits


def test_forty_lines_count_after_merging() -> None:
    texts = [f"if a{row}-b{row} then c1-c{column}" for row in range(1, 11) for column in (2,)]
    texts += [f"if c{row}-d{row} then c1-c2" for row in range(1, 11)]
    texts += [f"if e{row}-f{row} then c1-c2" for row in range(1, 11)]
    texts += [f"if g{row}-h{row} then c1-c2" for row in range(1, 11)]
    forty = merge(lines(*texts, *texts)).lines
    assert len(forty) == 40
    assert limit_fault(forty) is None
    fault = limit_fault([*forty, read_line("otherwise c1-c2")])
    assert fault.values == {"limit": 40, "count": 41}


# --- properties

conditions = st.sampled_from(
    ["e7-e6", "e7xe4", "e7xe4+", "e7xe4[M]", "xe4", "xe4-", "quiet", "any"]
)
answers = st.sampled_from(["a1-a2", "d5xe6", "d5xe6+", "d5xe6[M]"])
steps = st.lists(st.tuples(conditions, answers), min_size=1, max_size=4)


@st.composite
def plan_lines(draw: st.DrawFn) -> Line:
    parts = draw(steps)
    last = (parts[-1][0], draw(st.sampled_from(["a1-a2", "d5xe6"])))
    text = " ".join(f"if {condition} then {answer}" for condition, answer in (*parts[:-1], last))
    return read_line(text)


@given(st.lists(plan_lines(), max_size=8))
def test_merging_merged_lines_changes_nothing(plan: list[Line]) -> None:
    once = merge(plan).lines
    assert merge(once) == (once, ())
    assert joined(once) == once
    newest = merge(plan, newer_wins=True).lines
    assert merge(newest) == (newest, ())


@given(st.lists(plan_lines(), max_size=6), st.lists(plan_lines(), max_size=3))
def test_an_added_line_is_in_the_plan(older: list[Line], newer: list[Line]) -> None:
    plan = merge(older).lines
    added = add(plan, newer)
    if added.clashes:
        return
    line_steps = [line.steps for line in added.lines]
    for line in newer:
        assert any(
            [(s.condition, s.answer) for s in steps[: len(line.steps)]]
            == [(s.condition, s.answer) for s in line.steps]
            for steps in line_steps
        )
