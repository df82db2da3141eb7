"""Entering a plan: the lines of a field or a message, with the faults of each."""

import pytest

from games.plan_language.faults import BadLine
from games.plan_language.lines import Step, write_line
from games.plan_language.reading import NumberedLine, read_line
from games.play.plans import checking
from games.play.plans.entering import Entered, enter, enter_lines
from games.play.plans.imagining import Imagination
from games.play.plans.sentences import fault_text
from games.rules.core.basics.refusals import IllegalMove
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import Observation, observe
from games.rules.core.text.notation import read_position
from games.rules.registry import ruleset

RULES = ruleset("lattaque-en")
ROWS = (
    "lf1rcrrkl1/gbbjc1serb/elks1rrek1/rejsy1lsbr/2~~2~~2/2~~k1~~2/"
    "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES"
)


def observation(
    turn: str = "N", rows: str = ROWS, viewpoint: Viewpoint = Viewpoint.SOUTH
) -> Observation:
    return observe(RULES, read_position(RULES, f"{rows} {turn} 0 5"), viewpoint)


def written_lines(entered: Entered) -> list[str]:
    return [write_line(line) for line in entered.lines]


def test_a_plan_is_stored_in_the_order_in_which_it_is_tried() -> None:
    text = "sonst a4-a5\n\nwenn e5–e6 dann e4-e5\n如果靜則a4-a6\nif e5xe4[G] then e3xe4\n"
    entered = enter(RULES, observation(), text)
    assert written_lines(entered) == [
        "if e5xe4[G] then e3xe4",
        "if e5-e6 then e4-e5",
        "if quiet then a4-a6",
        "otherwise a4-a5",
    ]
    assert entered.faults == ()


def test_after_twenty_faults_no_further_line_is_checked(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at = []
    honest = checking._no_enemy_there

    def counted(imagination: Imagination, step: Step) -> BadLine | None:
        looked_at.append(step)
        return honest(imagination, step)

    monkeypatch.setattr(checking, "_no_enemy_there", counted)
    squares = [f"{file}{rank}" for rank in (1, 2, 3, 5) for file in "abcdefghij"]
    text = "otherwise a4-a5\n" + "\n".join(f"if {one}-a8 then a4-a5" for one in squares[:39])
    sentences = [fault_text(fault) for fault in enter(RULES, observation(), text).faults]
    assert sentences[0] == "Line 2: There is no piece of your opponent's on a1 for a1-a8."
    assert sentences[19].startswith("Line 21: ")
    assert sentences[20:] == ["Only the first 20 faults are listed."]
    assert len(looked_at) == 21


def test_all_of_twenty_faults_are_listed() -> None:
    text = "\n".join(f"if {file}{rank}-a8 then a4-a5" for rank in (1, 2) for file in "abcdefghij")
    sentences = [fault_text(fault) for fault in enter(RULES, observation(), text).faults]
    assert len(sentences) == 20
    assert sentences[19].startswith("Line 20: ")
    # Faults of reading are cut alike.
    *_, last = enter(RULES, observation(), "if e5-e6\n" * 21).faults
    assert fault_text(last) == "Only the first 20 faults are listed."


def test_each_fault_names_its_line_and_nothing_is_stored() -> None:
    text = "\n".join(
        [
            "if e5-e6 then e4-e5",
            "",
            "if e5-e6",
            "if k1-k2 then a4-a5",
            "if e6-e7 then a4-a5",
            "if e5-f5 then d4-e4",
            "if e5-e6 then a4-a5",
        ]
    )
    entered = enter(RULES, observation(), text)
    assert [fault_text(fault) for fault in entered.faults] == [
        "Line 3: After “if e5-e6” a line goes on with “then” and your move.",
        "Line 4: There is no square k1 on this board.",
        "Line 5: There is no piece of your opponent's on e6 for e6-e7.",
        "Line 6: After “e5-f5”, d4-e4 cannot be played. There is no piece on d4; a move begins "
        "with one of your pieces.",
        "Line 7: After “e5-e6” another line answers e4-e5, and this one a4-a5; "
        "keep one of the two.",
    ]
    assert entered.lines == ()


def test_an_empty_field_is_an_empty_plan() -> None:
    assert enter(RULES, observation(), " \n\n") == Entered(())


def test_at_most_forty_lines_and_eight_answers_count() -> None:
    many = "\n".join(f"if x{file}{row} then j4-j5" for file in "abef" for row in range(1, 11))
    assert len(enter(RULES, observation(), f"{many}\n{many}").lines) == 40
    (fault,) = enter(RULES, observation(), f"{many}\notherwise a4-a5").faults
    assert fault_text(fault) == "A plan has at most 40 lines, and this one has 41."
    eight = "if e5-e6 then a4-a5" + " if any then a5-a6" * 7
    assert len(enter(RULES, observation(), eight).lines[0].steps) == 8
    (fault,) = enter(RULES, observation(), eight + " if any then a5-a6").faults
    assert fault_text(fault) == "Line 1: A line has at most 8 answers, and this one has 9."


def test_lines_of_a_message_are_added_to_the_stored_ones() -> None:
    older = enter(
        RULES, observation(), "if e5-e6 then e4-e5 if any then a4-a5\notherwise a4-a6"
    ).lines
    new = [NumberedLine(4, read_line("if e5-e6 then e4-e6"))]
    (fault,) = enter_lines(RULES, observation(), new, older).faults
    assert fault.number == 4
    new = [NumberedLine(4, read_line("if e5-e6 then a4-a5"))]
    assert written_lines(enter_lines(RULES, observation(), new, older)) == [
        "if e5-e6 then a4-a5",
        "otherwise a4-a6",
    ]


# --- with an own move


def test_lines_with_an_own_move_count_after_it() -> None:
    entered = enter(RULES, observation("S"), "if e5-e6 then a6-a5", own_move="a4 to a6")
    assert written_lines(entered) == ["if e5-e6 then a6-a5"]
    (fault,) = enter(RULES, observation("S"), "if e5-e6 then a4-a5", own_move="a4-a6").faults
    assert "no piece on a4" in fault_text(fault)


def test_an_illegal_own_move_raises_the_refusal_of_the_rules() -> None:
    with pytest.raises(IllegalMove):
        enter(RULES, observation("S"), "otherwise a4-a5", own_move="a4-b5")
    with pytest.raises(IllegalMove):
        enter(RULES, observation("S"), "", own_move="a4-b5")


@pytest.mark.parametrize(
    "line",
    [
        "if e5-e6 then a4-a5",  # the defender won
        "if e5xe3 then a4-a5",  # or a scout goes on
        "if e6-e5 then a4-a5",
        "if xe5 then a4-a5",
        "otherwise e5-e6",  # the attacker won
        "otherwise e4-e5",
        "if f7-f6 then e3-e4",
    ],
)
def test_a_check_does_not_reveal_the_result_of_a_battle(line: str) -> None:
    """Whatever stands on e5, with the same army."""
    worlds = [
        ROWS,
        ROWS.replace("~~k1", "~~c1").replace("lf1rcrr", "lf1rkrr"),
        ROWS.replace("~~k1", "~~b1").replace("gbbjc", "gkbjc"),
        ROWS.replace("~~k1", "~~f1").replace("lf1rcrr", "lk1rcrr"),
    ]
    assert len(set(worlds)) == 4
    texts = [
        [fault_text(fault) for fault in enter(RULES, observation("S", rows), line, "e4xe5").faults]
        for rows in worlds
    ]
    assert texts == [texts[0]] * 4


def test_lines_that_fit_some_result_of_a_battle_are_accepted() -> None:
    before = observation("S")
    accepted = enter(RULES, before, "if e5-e6 then e3-e4\nif xe5 then e3-e4", "e4xe5")
    assert written_lines(accepted) == ["if e5-e6 then e3-e4", "if xe5 then e3-e4"]
    (fault,) = enter(RULES, before, "if e5-e6 then b3-b4", "e4xe5").faults
    assert "b3-b4 cannot be played" in fault_text(fault)


def test_an_own_move_that_may_end_the_match_is_accepted() -> None:
    """If only the flag can stand there, no line matters any more."""
    rows = "9f/10/10/10/2~~2~~2/2~~2~~2/10/10/10/9M"
    position = read_position(
        RULES, f"{rows.replace('9M', '10').replace('/10/10/10/2', '/9M/10/10/2')} S 0 5"
    )
    entered = enter(RULES, observe(RULES, position, Viewpoint.SOUTH), "otherwise j9-j8", "j9xj10")
    assert entered.faults == ()


def test_only_players_have_plans() -> None:
    with pytest.raises(ValueError, match="Only players"):
        enter(RULES, observation(viewpoint=Viewpoint.GALLERY), "otherwise a4-a5")


def test_the_repr_of_entered_lines_shows_nothing() -> None:
    for text in ("otherwise a4-a5", "if e5-e6 then d4-d7"):
        assert "a4" not in repr(enter(RULES, observation(), text))
        assert "d4" not in repr(enter(RULES, observation(), text).faults)
