"""Indexes: the queries of the sweep and of the home page use one."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.play.commands import deadlines
from games.play.lists import listing, own_matches, turns
from games.play.lists.waiting import unseen_results, waiting_for
from games.play.models.match import Match, Player, Status
from lib.db_clock import now
from tests.shared_rows import shared_rows

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db]

MATCHES = 1000
RIDERS = 40


@pytest.fixture(scope="module", autouse=True)
def rider(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[User]:
    with shared_rows(django_db_blocker):
        yield fill()


def fill() -> User:
    """Write rows as after some years: most matches have ended, and few others are on turn."""
    people = User.objects.bulk_create(
        User(username=f"Rider{number}", handle_key=f"Rider{number}") for number in range(RIDERS)
    )
    instant = now()
    matches = Match.objects.bulk_create(
        Match(
            preset="lattaque-en",
            pace="3d",
            setup_pace="3d",
            status=Status.FINISHED if number % 10 else Status.RUNNING,
            result="S" if number % 10 else "",
            created_at=instant,
            finished_at=instant - timedelta(minutes=number) if number % 10 else None,
        )
        for number in range(MATCHES)
    )
    Player.objects.bulk_create(
        Player(
            match=match,
            user=people[(number + seat) % RIDERS],
            seat=seat,
            to_act=number % 10 == 0 and seat == 0,
            deadline=instant + timedelta(days=1, minutes=number) if number % 10 == 0 else None,
            check_at=instant + timedelta(minutes=number + 1) if number % 10 == 0 else None,
            live=number % 10 == 0,
            unseen=number % 100 == 1,
        )
        for number, match in enumerate(matches)
        for seat in (0, 1)
    )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    eighth: User = people[7]
    return eighth


def test_the_sweep_finds_the_clocks_that_are_due() -> None:
    assert "player_check" in deadlines.due(now()).explain()


def test_what_waits_for_a_player_is_found(rider: User) -> None:
    assert "player_waiting" in waiting_for(rider)[:50].explain()
    assert "player_waiting" in listing.seats_on_turn.build(rider.pk).explain()
    assert "player_waiting" in turns._turns.build(rider.pk).explain()


def test_the_endings_that_a_player_has_not_seen_are_found(rider: User) -> None:
    assert "player_unseen" in unseen_results(rider)[:50].explain()
    assert "player_unseen" in listing.seats_unseen.build(rider.pk).explain()


def test_the_matches_in_which_a_player_waits_are_found(rider: User) -> None:
    assert "player_live" in listing.seats_not_on_turn.build(rider.pk).explain()


@pytest.mark.parametrize("live", [None, True, False])
def test_a_page_of_a_players_matches_is_found(rider: User, live: bool | None) -> None:
    newest = Match.objects.latest("pk").pk
    plan = own_matches.seats(rider.pk, live=live, before=newest)[:51].explain()
    assert "player_live" in plan or "player_matches" in plan


def test_all_matches_of_a_player_are_found(rider: User) -> None:
    """The query of the admin's search by handle."""
    seated = Player.objects.filter(user__username=rider.username).values("match")
    assert "player_matches" in seated.explain()
