"""What becomes of lines while the match goes on."""

from accounts.models import User
from games.play.models.match import Match
from games.play.practice import progress
from games.play.practice.stored import KeptLine, Practice, Step
from games.play.record import match_view
from tests.play import match_helpers
from tests.play.match_helpers import People


def steps(*texts: str) -> tuple[Step, ...]:
    return tuple(Step(text) for text in texts)


def caught_up_line(match: Match, user: User, practice: Practice) -> Practice:
    return progress.caught_up(match_view.view_match(match.pk, user), practice)


def texts(line: KeptLine) -> list[str]:
    return [step.text for step in line.steps]


def test_lines_lose_the_moves_that_were_really_played(match: Match, alice: User) -> None:
    began = match.ply
    line = KeptLine("So", began, {}, steps("a4-a5", "j7-j6", "b4-b5"))
    practice = Practice(3, began, {}, steps("a4-a5", "j7-j6"), (line,))
    assert caught_up_line(match, alice, practice) == practice
    match_helpers.play(match, "a4-a5")
    after = caught_up_line(match, alice, practice)
    assert after.steps == steps("j7-j6") and after.ply == match.ply
    assert texts(after.kept[0]) == ["j7-j6", "b4-b5"] and after.kept[0].ply == match.ply
    assert not after.kept[0].outdated
    # In one step or in two, it is the same.
    match_helpers.play(match, "j7-j6")
    assert caught_up_line(match, alice, after) == caught_up_line(match, alice, practice)
    assert caught_up_line(match, alice, practice).steps == ()
    match_helpers.play(match, "b4-b5")
    assert caught_up_line(match, alice, practice).kept == ()


def test_a_line_that_the_match_left_stays_unchanged(match: Match, alice: User) -> None:
    began = match.ply
    line = KeptLine("So", began, {"j7": "R"}, steps("a4-a5", "j7-j6"))
    practice = Practice(3, began, {"j7": "R"}, steps("a4-a5"), (line,))
    match_helpers.play(match, "b4-b5")
    after = caught_up_line(match, alice, practice)
    assert after.steps == () and after.guesses == {"j7": "R"}
    assert after.kept == (line._replace(outdated=True),)
    # Later moves do not bring it back.
    match_helpers.play(match, "j7-j6", "a4-a5")
    assert caught_up_line(match, alice, after).kept == after.kept


def test_a_different_result_of_a_battle_leaves_the_line(match: Match, alice: User) -> None:
    began = match.ply
    right = KeptLine("Right", began, {}, steps("a4xa7[RvM]-", "j7-j6"))
    wrong = KeptLine("Wrong", began, {}, steps("a4xa7[RvY]+", "j7-j6"))
    match_helpers.play(match, "a4xa7")
    after = caught_up_line(match, alice, Practice(1, began, {}, (), (right, wrong)))
    assert [line.outdated for line in after.kept] == [False, True]


def test_hits_of_archers_do_not_leave_the_line(who: People) -> None:
    match = match_helpers.running_match(who, preset="tactique")
    line = KeptLine("So", match.ply, {}, steps("h4-h5 ~h5", "g6-g5"))
    practice = Practice(1, match.ply, {}, (), (line,))
    match_helpers.play(match, "h4-h5")
    assert texts(caught_up_line(match, who.alice, practice).kept[0]) == ["g6-g5"]


def test_a_board_that_was_not_opened_for_long_reads_at_most_the_length_of_a_line(
    match: Match, alice: User, django_assert_num_queries: object
) -> None:
    began = match.ply
    line = KeptLine("So", began, {}, steps(*(["a4-a5", "j7-j6", "a5-a4", "j6-j7"] * 15)))
    practice = Practice(1, began, {}, (), (line,))
    for _ in range(8):
        match_helpers.play(match, "a4-a5", "j7-j6", "a5-a4", "j6-j7")
    view = match_view.view_match(match.pk, alice)
    with django_assert_num_queries(1):  # type: ignore[operator]
        after = progress.caught_up(view, practice)
    assert len(after.kept[0].steps) == 60 - 32


def test_the_last_turns_are_read_only_as_far_as_the_rules_need(
    match: Match, alice: User, django_assert_num_queries: object
) -> None:
    for _ in range(8):
        match_helpers.play(match, "a4-a5", "j7-j6", "a5-a4", "j6-j7")
    view = match_view.view_match(match.pk, alice)
    with django_assert_num_queries(0):  # type: ignore[operator]
        assert progress.last_turns(view, 0) == []
        assert [text for _, text in progress.last_turns(view, 4)] == [
            *("a4-a5", "j7-j6"),
            *("a5-a4", "j6-j7"),
        ]
    with django_assert_num_queries(1):  # type: ignore[operator]
        assert len(progress.last_turns(view, 30)) == 30
    assert len(progress.last_turns(view, 99)) == 32
