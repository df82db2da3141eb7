"""A plan answers its player's turn: once, as of its due instant, by the lines that fit."""

from datetime import timedelta
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.plan_language.reading import read_lines
from games.play.commands import courtesies, deadlines, endings
from games.play.commands.plans import answering, due, pauses, saving
from games.play.commands.plans.answering import Outcome, answer_turn
from games.play.commands.plans.refusing import PlanOutdated
from games.play.models.match import Match, Player, Status
from games.play.models.plan import Plan, PlanState, Wait
from games.play.models.ply import Ply
from games.play.models.time import Vacation
from games.play.record import match_view, own_plan
from games.play.record.sealed import plans
from games.play.record.sealed.plans import Reason
from games.play.refusals import NotNow
from lib.db_clock import frozen_at, now
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.plan_helpers import plan_of, save, texts

pytestmark = pytest.mark.postgresql

HOUR = timedelta(hours=1)


@pytest.fixture
def match(who: People) -> Match:
    """Bob is to move; Alice has moved from a4 to a5."""
    return match_helpers.running_match(who, "a4-a5")


def turn_of_alice(who: People, match: Match, *lines: str, wait: Wait = Wait.NOW) -> Match:
    """The match after Bob's move j7-j6, to which Alice's plan has these lines."""
    save(match, who.alice, *lines or ("if j7-j6 then b4-b5",), wait=wait)
    match_helpers.play(match, "j7-j6")
    match.refresh_from_db()
    return match


def answer(who: People, match: Match) -> Outcome:
    return answer_turn(match.pk, who.alice.pk, match.ply)


# --- Which line, and what is left


def test_a_matching_line_answers_at_once(who: People, match: Match) -> None:
    turn_of_alice(who, match, "if j7-j6 then b4-b5", "if b7-b6 then a5-a4")
    assert answer(who, match) is Outcome.ANSWERED
    assert texts(match)[-2:] == ["j7-j6", "b4-b5"]
    plan = plan_of(match, who.alice)
    assert plan.row.state is PlanState.ENDED
    assert plan.row.played == [match.ply + 1]
    # A second worker finds nothing to do.
    assert answer(who, match) is Outcome.NOTHING


def test_a_longer_line_answers_again(who: People, match: Match) -> None:
    turn_of_alice(who, match, "if j7-j6 then b4-b5 if any then b5-b4", "otherwise a5-a4")
    assert answer(who, match) is Outcome.ANSWERED
    plan = plan_of(match, who.alice)
    assert plan.row.state is PlanState.STANDING
    assert plan.contents.lines == ("otherwise b5-b4",)
    match_helpers.play(match, "j6-j7")
    match.refresh_from_db()
    assert answer(who, match) is Outcome.ANSWERED
    assert texts(match)[-1] == "b5-b4"
    assert plan_of(match, who.alice).row.played == [match.ply - 1, match.ply + 1]


@pytest.mark.parametrize("by", ["delete", "save"])
def test_a_plan_deleted_on_the_next_turn_keeps_which_plies_it_has_played(
    who: People, match: Match, by: str
) -> None:
    turn_of_alice(who, match, "if j7-j6 then b4-b5 if any then b5-b4")
    assert answer(who, match) is Outcome.ANSWERED
    played = plan_of(match, who.alice).row.played
    match_helpers.play(match, "j6-j7")
    match.refresh_from_db()
    if by == "delete":
        saving.delete_plan(match.pk, who.alice, match.ply)
    else:
        saving.save_plan(match.pk, who.alice, match.ply, ())
    plan = plan_of(match, who.alice)
    assert (plan.row.state, plan.row.played) == (PlanState.DELETED, played)
    assert own_plan.plies_played(match_view.view_match(match.pk, who.alice)) == {*played}
    match_helpers.play(match, "a5-a4")
    assert own_plan.plies_played(match_view.view_match(match.pk, who.alice)) == set()


def test_a_turn_that_fits_no_line_drops_the_plan_and_keeps_its_lines(
    who: People, match: Match
) -> None:
    turn_of_alice(who, match, "if b7-b6 then b4-b5")
    assert answer(who, match) is Outcome.DROPPED
    plan = plan_of(match, who.alice)
    assert plan.row.state is PlanState.DROPPED
    assert plan.contents.lines == ("if b7-b6 then b4-b5",)
    assert plan.contents.reason == Reason.NO_LINE
    assert texts(match)[-1] == "j7-j6"


@pytest.mark.parametrize("planned", ["a5-a8", "a5xa6", "a5-b5xb6"])
def test_an_illegal_answer_drops_the_plan(who: People, match: Match, planned: str) -> None:
    turn_of_alice(who, match)
    plan = plan_of(match, who.alice)
    contents = plan.contents._replace(lines=(f"if any then {planned}",))
    plans.store(plan.player_id, plan.row, contents, plan.row.version)
    assert answer(who, match) is Outcome.DROPPED
    assert plan_of(match, who.alice).contents.reason == Reason.NOT_LEGAL


def test_a_planned_step_never_becomes_an_attack(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5", "a7-a6")
    save(match, who.bob, "otherwise a6-a5")
    match_helpers.play(match, "b4-b5")
    match.refresh_from_db()
    assert answer_turn(match.pk, who.bob.pk, match.ply) is Outcome.DROPPED
    assert plan_of(match, who.bob).contents.reason == Reason.NOT_LEGAL


def test_two_plans_of_eight_answers_run_to_the_end(who: People, match: Match) -> None:
    there, back = ("j7-j6", "j6-j7"), ("b4-b5", "b5-b4")
    bobs = " ".join(f"if {back[n % 2]} then {there[(n + 1) % 2]}" for n in range(8))
    alices = " ".join(f"if {there[n % 2]} then {back[n % 2]}" for n in range(8))
    save(match, who.alice, alices)
    # Bob's own move begins it.
    match.refresh_from_db()
    text = read_lines(bobs).lines
    saving.save_plan(match.pk, who.bob, match.ply, text, wait=Wait.NOW, move="j7-j6")
    begun = match.ply + 1
    for number in range(16):
        user = (who.alice, who.bob)[number % 2]
        assert answer_turn(match.pk, user.pk, begun + number) is Outcome.ANSWERED
    assert len(texts(match)) == begun + 16 + 1
    assert plan_of(match, who.alice).row.state is PlanState.ENDED
    assert plan_of(match, who.bob).row.state is PlanState.ENDED
    assert len(plan_of(match, who.bob).row.played) == 8


# --- When


def test_an_immediate_answer_has_the_time_of_the_turn(who: People, match: Match) -> None:
    turn_of_alice(who, match)
    came = Ply.objects.get(match=match, number=match.ply).at
    with frozen_at(now() + 5 * HOUR):
        answer(who, match)
    assert Ply.objects.get(match=match, number=match.ply + 1).at == came


def test_a_delayed_answer_is_played_when_it_is_due(who: People, match: Match) -> None:
    turn_of_alice(who, match, wait=Wait.WHILE)
    assert answer(who, match) is Outcome.WAITS
    plan = plan_of(match, who.alice)
    assert plan.contents.answer == "b4-b5"
    due_at = plan.row.counts_at
    assert due_at and plan.row.due_at == due_at
    assert due.answer_plans() == 0
    # Asked again, it does not draw another pause.
    assert answer(who, match) is Outcome.WAITS
    assert plan_of(match, who.alice).row.counts_at == due_at
    with frozen_at(due_at + HOUR):
        assert due.answer_plans() == 1
        assert due.answer_plans() == 0
    assert Ply.objects.get(match=match, number=match.ply + 1).at == due_at


def test_a_delay_is_between_three_minutes_and_two_hours(who: People) -> None:
    at = now()
    drawn = [pauses.draw_pause(at, at + timedelta(days=3)) for _ in range(400)]
    assert min(drawn) >= pauses.SHORTEST and max(drawn) <= pauses.LONGEST
    assert sum(one < HOUR / 3 for one in drawn) > sum(one > HOUR for one in drawn)
    hurried = [pauses.draw_pause(at, at + timedelta(minutes=16)) for _ in range(50)]
    assert max(hurried) <= timedelta(minutes=2)
    assert pauses.draw_pause(at, at) == timedelta(0)
    assert pauses.draw_pause(at, None) <= pauses.LONGEST


def test_a_due_answer_is_in_time_even_if_it_is_played_after_the_deadline(
    who: People, match: Match
) -> None:
    turn_of_alice(who, match, wait=Wait.WHILE)
    answer(who, match)
    me = Player.objects.get(match=match, user=who.alice)
    assert me.deadline
    with frozen_at(me.deadline + HOUR):
        due.answer_plans()
    match.refresh_from_db()
    assert match.status == Status.RUNNING
    assert texts(match)[-1] == "b4-b5"


def test_the_sweep_of_deadlines_lets_a_plan_answer_first(who: People, match: Match) -> None:
    turn_of_alice(who, match)
    me = Player.objects.get(match=match, user=who.alice)
    assert me.deadline
    with frozen_at(me.deadline + HOUR):
        assert not deadlines.sweep()["ended"]
        # The opponent, who could not see the answer before, has the whole time for the next move.
        other = Player.objects.get(match=match, user=who.bob)
        assert other.deadline == now() + timedelta(days=3)
    assert texts(match)[-1] == "b4-b5"


# --- What holds it


@pytest.mark.parametrize("wait", Wait)
def test_a_draw_offer_of_the_opponent_holds_the_plan_until_it_is_declined(
    who: People, match: Match, wait: Wait
) -> None:
    turn_of_alice(who, match, wait=wait)
    endings.offer_draw(match.pk, who.bob)
    assert answer(who, match) is Outcome.NOTHING
    assert due.answer_plans() == 0
    declined = now() + HOUR
    with frozen_at(declined):
        endings.decline_draw(match.pk, who.alice)
        due.answer_plans()
    plan = plan_of(match, who.alice)
    if wait is Wait.NOW:
        assert Ply.objects.get(match=match, number=match.ply + 1).at == declined
    else:
        assert plan.row.counts_at and plan.row.counts_at > declined
        with frozen_at(plan.row.counts_at):
            assert due.answer_plans() == 1


def test_an_offer_during_the_delay_holds_it_and_declining_plays_it_at_the_later_time(
    who: People, match: Match
) -> None:
    turn_of_alice(who, match, wait=Wait.WHILE)
    answer(who, match)
    due_at = plan_of(match, who.alice).row.counts_at
    assert due_at
    courtesies.offer_pause(match.pk, who.bob)
    with frozen_at(due_at + HOUR):
        assert due.answer_plans() == 0
        # It is not looked at again before the offer is answered.
        assert not Plan.objects.filter(due_at__isnull=False).exists()
        courtesies.decline_pause(match.pk, who.alice)
        assert due.answer_plans() == 1
    assert Ply.objects.get(match=match, number=match.ply + 1).at == due_at + HOUR


def test_an_offer_declined_during_the_delay_keeps_the_due_time(who: People, match: Match) -> None:
    turn_of_alice(who, match, wait=Wait.WHILE)
    answer(who, match)
    due_at = plan_of(match, who.alice).row.counts_at
    assert due_at
    endings.offer_draw(match.pk, who.bob)
    endings.decline_draw(match.pk, who.alice)
    assert plan_of(match, who.alice).row.counts_at == due_at
    with frozen_at(due_at):
        assert due.answer_plans() == 1


@pytest.mark.parametrize("wait", Wait)
def test_an_offer_that_is_declined_while_a_worker_reads_it_does_not_delay_the_plan(
    who: People, match: Match, wait: Wait
) -> None:
    turn_of_alice(who, match, wait=wait)
    if wait is Wait.WHILE:
        answer(who, match)
    endings.offer_draw(match.pk, who.bob)
    held = answering.is_held

    def declined_meanwhile(*seen: Any) -> bool:
        held_plan = held(*seen)
        if held_plan:
            endings.decline_draw(match.pk, who.alice)
        return held_plan

    with frozen_at(now() + 3 * HOUR):
        with patch.object(answering, "is_held", declined_meanwhile):
            assert answer(who, match) is Outcome.NOTHING
        due.answer_plans()
    with frozen_at(now() + 6 * HOUR):
        due.answer_plans()
    assert texts(match)[-1] == "b4-b5"


def test_an_own_offer_does_not_hold_the_plan(who: People, match: Match) -> None:
    turn_of_alice(who, match)
    courtesies.offer_pause(match.pk, who.alice)
    assert answer(who, match) is Outcome.ANSWERED


def test_a_pause_holds_the_plan_until_it_is_over(who: People, match: Match) -> None:
    turn_of_alice(who, match)
    courtesies.offer_pause(match.pk, who.alice)
    courtesies.accept_pause(match.pk, who.bob)
    assert answer(who, match) is Outcome.NOTHING
    courtesies.resume(match.pk, who.bob)
    assert due.answer_plans() == 1


def test_a_restored_copy_with_held_emails_answers_nothing(
    who: People, match: Match, settings: Any
) -> None:
    turn_of_alice(who, match, wait=Wait.WHILE)
    answer(who, match)
    settings.HOLD_EMAILS = True
    with frozen_at(now() + 3 * HOUR):
        assert due.answer_plans() == 0
        assert answer(who, match) is Outcome.NOTHING


def test_a_plan_answers_while_its_player_is_on_vacation(who: People, match: Match) -> None:
    turn_of_alice(who, match)
    days = {"start": now() - HOUR, "end": now() + timedelta(days=5)}
    Vacation.objects.create(user=who.alice, **days)
    User.objects.filter(pk=who.alice.pk).update(away_until=days["end"])
    assert answer(who, match) is Outcome.ANSWERED


# --- What ends it


def test_a_move_by_hand_ends_the_plan(who: People, match: Match) -> None:
    turn_of_alice(who, match, wait=Wait.WHILE)
    answer(who, match)
    match_helpers.play(match, "a5-a4")
    with frozen_at(now() + 3 * HOUR):
        assert due.answer_plans() == 0
    # The task does not look at it again.
    assert not Plan.objects.filter(due_at__isnull=False).exists()
    assert texts(match)[-1] == "a5-a4"


def test_an_edit_between_reading_and_playing_takes_precedence(who: People, match: Match) -> None:
    turn_of_alice(who, match)
    play = answering._play

    def edited(turn: Any, plan: Any, *more: Any) -> int:
        saving.delete_plan(match.pk, who.alice)
        return play(turn, plan, *more)

    with patch.object(answering, "_play", edited):
        assert answer(who, match) is Outcome.NOTHING
    assert texts(match)[-1] == "j7-j6"
    assert plan_of(match, who.alice).row.state is PlanState.DELETED


def test_an_error_after_the_move_rolls_it_back(who: People, match: Match) -> None:
    turn_of_alice(who, match)
    with patch.object(answering, "_move_on", side_effect=RuntimeError("a5-a4 is secret")):
        assert answer(who, match) is Outcome.FAILED
    assert texts(match)[-1] == "j7-j6"
    assert answer(who, match) is Outcome.WAITS
    with frozen_at(now() + 2 * answering.RETRY_AFTER):
        assert due.answer_plans() == 1


def test_a_failing_plan_is_retried_five_times_a_minute_apart_and_logged_without_text(
    who: People, match: Match, caplog: pytest.LogCaptureFixture
) -> None:
    turn_of_alice(who, match)
    at, tried = now(), []
    with patch.object(answering, "_turn", side_effect=RuntimeError("a5-a4 is secret")):
        for second in range(0, 600, 15):
            with frozen_at(at + timedelta(seconds=second)):
                if not second:
                    answer(who, match)
                due.answer_plans()
            tried.append(len(caplog.records))
    assert tried[-1] == answering.MAX_FAILURES
    assert plan_of(match, who.alice).row.state is PlanState.FAILED
    assert {record.levelname for record in caplog.records} == {"ERROR"}
    assert "a5" not in caplog.text and "secret" not in caplog.text


def test_the_end_of_a_match_deletes_both_plans(who: People, match: Match) -> None:
    save(match, who.alice, "if any then b4-b5")
    endings.resign(match.pk, who.bob)
    assert not Plan.objects.exists()


# --- Play it now


def test_a_waiting_answer_can_be_played_at_once(who: People, match: Match) -> None:
    turn_of_alice(who, match, wait=Wait.WHILE)
    answer(who, match)
    version = plan_of(match, who.alice).row.version
    with pytest.raises(PlanOutdated):
        answering.play_now(match.pk, who.alice, match.ply, version - 1)
    assert answering.play_now(match.pk, who.alice, match.ply, version) == match.ply + 1
    assert texts(match)[-1] == "b4-b5"
    with pytest.raises(PlanOutdated):
        answering.play_now(match.pk, who.alice, match.ply, version)
    with pytest.raises(NotNow):
        answering.play_now(match.pk, who.alice, match.ply, version + 1)


# --- What it costs


def test_the_opponents_move_costs_the_same_queries_with_or_without_a_plan(who: People) -> None:
    counts = []
    for lines in ((), ("if any then b4-b5",)):
        match = match_helpers.running_match(who, "a4-a5")
        if lines:
            save(match, who.alice, *lines)
        with CaptureQueriesContext(connection) as queries:
            match_helpers.play(match, "j7-j6")
        counts.append([q["sql"].split()[0] for q in queries])
    assert counts[0] == counts[1]
