"""The house answers a turn during which staff look, once and at the same time as without."""

from collections.abc import Callable
from datetime import timedelta

from accounts.models import User
from games.house import house_accounts
from games.house.models import HouseSeat
from games.house.playing import queue, seats, turn_answers
from games.house.thinking.seat_lines import LineCache
from games.play.commands import endings
from games.play.models.match import Match, Status
from games.play.record.match_view import view_match
from tests.house.conftest import house_of, let_answer, move_first
from tests.play.plan_helpers import texts
from tests.play.staff_looks import looked

Begin = Callable[..., Match]


def claimed() -> HouseSeat:
    seats.schedule_turns(house_accounts.ensure())
    seat = seats.claim()
    assert seat
    return seat


def test_it_answers_a_move_after_a_look(against: Begin, alice: User) -> None:
    match = against()
    move_first(match, alice)
    looked(match)
    before = match.ply
    assert let_answer(match).ply == before + 1
    assert view_match(match.pk, alice).my_turn
    assert not HouseSeat.objects.get().failures


def test_an_answer_computed_before_the_look_counts_once(against: Begin, alice: User) -> None:
    match = against()
    move_first(match, alice)
    seat = claimed()
    looked(match)
    turn_answers.answer(seat)
    seats.done(seat)
    match.refresh_from_db()
    after = match.ply
    assert texts(match)[-2] == "" != texts(match)[-1]
    assert let_answer(match).ply == after


def test_a_look_neither_frees_a_leased_turn_nor_restarts_its_pause(
    against: Begin, alice: User
) -> None:
    match = against(leisurely=True)
    move_first(match, alice)
    seats.schedule_turns(house_accounts.ensure())
    due = HouseSeat.objects.get().due_at
    looked(match)
    seats.schedule_turns(house_accounts.ensure())
    assert HouseSeat.objects.get().due_at == due
    assert due is not None
    HouseSeat.objects.update(due_at=due - timedelta(days=1))
    seat = claimed()
    looked(match)
    seats.schedule_turns(house_accounts.ensure())
    assert HouseSeat.objects.get().lease_until is not None
    assert seats.claim() is None
    seats.failed(seat)
    assert HouseSeat.objects.get().failures == 1


def test_it_answers_an_offered_draw_after_a_look(against: Begin, alice: User) -> None:
    match = against()
    move_first(match, alice)
    endings.offer_draw(match.pk, alice)
    looked(match)
    queue.work()
    match.refresh_from_db()
    assert match.draw_offer is None
    assert match.status in (Status.RUNNING, Status.FINISHED)


def test_the_question_is_the_same_after_a_look(against: Begin, alice: User) -> None:
    match = against()
    cache, house = LineCache(), house_of(match)
    for _ in range(2):
        move_first(match, alice)
        before = cache.follow(match.pk, house)
        looked(match)
        after, fresh = cache.follow(match.pk, house), LineCache().follow(match.pk, house)
        assert before and after and fresh
        assert before.lines == after.lines == fresh.lines
        let_answer(match)
        looked(match)
    assert len(fresh.lines) == 2
