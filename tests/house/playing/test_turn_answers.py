"""The house sets up at once and answers each turn once, using only what its seat has seen."""

import json
from collections.abc import Callable
from itertools import product

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.house import house_accounts, sealing
from games.house.models import HouseSeat
from games.house.playing import queue, seats, turn_answers
from games.house.thinking import child_client
from games.house.thinking.seat_lines import LineCache
from games.outbox.delivery import dispatcher
from games.play.models.match import Match, Status
from games.play.models.ply import Ply
from games.play.record import seat_history as seat_history_module
from games.play.record.match_view import view_match
from games.play.record.seat_history import seat_history
from games.play.record.seat_lines import lines_of
from games.rules.core.basics.moves import Walk
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import Observation, observe
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text.notation import write_move
from games.rules.registry import editions
from lib.db_clock import now
from tests import tiers
from tests.house.conftest import house_names, house_of, let_answer, move_first
from tests.play.plan_helpers import save, texts

Begin = Callable[..., Match]


def test_it_sets_up_at_once(against: Begin) -> None:
    match = against()
    assert match.status == Status.RUNNING
    assert str(house_of(match)) == "House-Recruit"


@pytest.mark.parametrize("level", house_accounts.LEVELS)
def test_it_answers_a_move(against: Begin, alice: User, level: str) -> None:
    match = against(level=level)
    move_first(match, alice)
    before = match.ply
    let_answer(match)
    assert match.ply == before + 1
    assert view_match(match.pk, alice).my_turn
    assert not HouseSeat.objects.get().failures


@pytest.mark.long
@pytest.mark.parametrize(
    ("preset", "seat"),
    tiers.parameters(
        product([rules.key for rules in editions()], Seat),
        fast=(
            ("lattaque-zh", Seat.SOUTH),
            ("domino", Seat.NORTH),
            ("tactique-convert", Seat.SOUTH),
            ("assaut", Seat.NORTH),
        ),
    ),
)
def test_it_plays_every_edition_from_either_seat(
    against: Begin, alice: User, preset: str, seat: Seat
) -> None:
    match = against(preset, seat=seat)
    for _ in range(2):
        let_answer(match)
        if match.status == Status.RUNNING and view_match(match.pk, alice).my_turn:
            move_first(match, alice)
    assert match.ply > (match.opening or 0) + 1
    assert not HouseSeat.objects.filter(failures__gt=0)


def test_after_a_killed_worker_another_answers(against: Begin, alice: User) -> None:
    match = against()
    move_first(match, alice)
    seats.schedule_turns(house_accounts.ensure())
    dead = seats.claim()  # by a worker that was killed
    assert dead
    assert let_answer(match).players.get(user=alice).to_act is False
    HouseSeat.objects.update(lease_until=dead.due_at)
    let_answer(match)
    assert view_match(match.pk, alice).my_turn


def test_two_workers_with_the_same_turn_play_once(against: Begin, alice: User) -> None:
    match = against()
    move_first(match, alice)
    seats.schedule_turns(house_accounts.ensure())
    seat = seats.claim()
    assert seat
    before = match.ply
    turn_answers.answer(seat)
    turn_answers.answer(seat)
    match.refresh_from_db()
    assert match.ply == before + 1


def test_an_idle_run_needs_few_queries_for_any_number_of_matches(
    against: Begin, alice: User
) -> None:
    counts = []
    for _ in range(2):
        for _ in range(3):
            against()
        queue.work()
        with CaptureQueriesContext(connection) as queries:
            queue.work()
        counts.append(len(queries))
    assert counts[0] == counts[1] <= 8


def test_a_failing_match_does_not_delay_others(
    against: Begin, alice: User, caplog: pytest.LogCaptureFixture
) -> None:
    broken, sound = against(), against()
    for match in (broken, sound):
        move_first(match, alice)
    seats.schedule_turns(house_accounts.ensure())
    first = HouseSeat.objects.get(player__match=broken)
    HouseSeat.objects.filter(pk=first.pk).update(seed=b"no seed")
    let_answer(broken)
    sound.refresh_from_db()
    assert view_match(sound.pk, alice).my_turn
    assert not view_match(broken.pk, alice).my_turn
    assert "BrokenSealError" in caplog.text
    HouseSeat.objects.filter(pk=first.pk).update(seed=sealing.new_seed(first.pk))
    HouseSeat.objects.update(due_at=now())
    let_answer(broken)
    assert view_match(broken.pk, alice).my_turn


def test_its_lines_contain_only_what_its_seat_has_seen(against: Begin, alice: User) -> None:
    match = against()
    for _ in range(3):
        move_first(match, alice)
        let_answer(match)
    move_first(match, alice)
    history = seat_history(match.pk, house_of(match))
    assert history and history.is_on_turn
    lines = lines_of(history)
    assert len(lines) == 4
    assert [len(line["heard"]) for line in lines] == [1, 2, 2, 2]
    board = lines[-1]["board"]
    hidden = sum(letter == "?" for letter in board)
    assert hidden > 30  # Alice's army
    assert json.loads(json.dumps(lines)) == lines


def test_a_turn_reads_only_the_plies_since_the_previous_turn(
    against: Begin, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of plies read does not grow; the lines are those of the whole match."""
    match, cache = against(), LineCache()
    read: list[Viewpoint] = []

    def counted(rules: Ruleset, position: Position, viewpoint: Viewpoint) -> Observation:
        read.append(viewpoint)
        return observe(rules, position, viewpoint)

    monkeypatch.setattr(seat_history_module, "observe", counted)
    for turn in range(1, 5):
        move_first(match, alice)
        read.clear()
        followed = cache.follow(match.pk, house_of(match))
        assert followed and len(read) == min(turn, 2)
        history = seat_history(match.pk, house_of(match))
        assert history and followed.lines == lines_of(history)
        assert followed.history.turns[-1] == history.turns[-1]
        let_answer(match)


def test_cached_lines_of_another_match_with_the_same_id_are_dropped(
    against: Begin, alice: User
) -> None:
    """A database restored from a backup uses match ids again."""
    match, cache = against(), LineCache()
    for _ in range(3):
        move_first(match, alice)
        cache.follow(match.pk, house_of(match))
        let_answer(match)
    Ply.objects.filter(match=match, number__lt=6).update(head=b"another")
    move_first(match, alice)
    followed = cache.follow(match.pk, house_of(match))
    history = seat_history(match.pk, house_of(match))
    assert followed and history and followed.lines == lines_of(history)


def test_the_cache_is_limited(against: Begin, alice: User) -> None:
    cache = LineCache(max_lines=2)
    match = against()
    for _ in range(4):
        move_first(match, alice)
        followed = cache.follow(match.pk, house_of(match))
        history = seat_history(match.pk, house_of(match))
        assert followed and history and followed.lines == lines_of(history)
        let_answer(match)


def test_the_same_seed_and_lines_give_the_same_move(against: Begin, alice: User) -> None:
    match = against(level="sergeant")
    move_first(match, alice)
    history = seat_history(match.pk, house_of(match))
    assert history
    lines = lines_of(history)
    assert len({child_client.think(lines, 5, "sergeant").move for _ in range(3)}) == 1


def test_a_leisurely_opponent_answers_after_a_pause_and_before_its_deadline(
    against: Begin, alice: User
) -> None:
    match = against(leisurely=True)
    move_first(match, alice)
    let_answer(match)
    assert not view_match(match.pk, alice).my_turn
    seat = HouseSeat.objects.select_related("player").get()
    assert seat.due_at and seat.player.deadline and seat.player.since
    assert now() + seats.MIN_PAUSE / 2 < seat.due_at < seat.player.deadline
    HouseSeat.objects.update(due_at=now())
    let_answer(match)
    assert view_match(match.pk, alice).my_turn


def test_it_gets_no_email_and_its_worker_is_woken(
    against: Begin, alice: User, mailoutbox: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    woken: list[str] = []
    monkeypatch.setattr("games.house.wake_ups.wake_worker", woken.append)
    match = against()
    move_first(match, alice)
    dispatcher.drain()
    assert "games.house.tasks.answer" in woken
    assert {address for email in mailoutbox for address in email.to} <= {alice.email}  # type: ignore[attr-defined]
    assert house_names()[0] == str(house_of(match))


def test_a_plan_answers_the_house_like_any_player(against: Begin, alice: User) -> None:
    match = let_answer(against())
    view = view_match(match.pk, alice)
    step = next(move for move in view.observation.moves if isinstance(move, Walk))
    there = write_move(view.rules, step)
    back = "-".join(reversed(there.split("-")))
    save(match, alice, f"otherwise {back}", move=there)
    let_answer(match)
    dispatcher.drain()
    match.refresh_from_db()
    assert texts(match)[-1] == back
    assert house_of(match).pk in match.players.filter(to_act=True).values_list("user", flat=True)
