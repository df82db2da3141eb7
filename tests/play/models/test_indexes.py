"""Indexes: the queries of the sweep and of the home page use one."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import connection
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.idempotency.models import StoredApiResponse, StoredResponse
from games.outbox.models import Dispatch
from games.play.commands import deadlines
from games.play.lists import listing, own_matches, turns
from games.play.lists.waiting import unseen_results, waiting_for
from games.play.models.draft import Draft
from games.play.models.match import Match, Player, Status
from games.play.models.ply import Ply
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


def test_due_clocks_are_found_by_an_index() -> None:
    assert "player_check" in deadlines.due(now()).explain()


def test_waiting_matches_of_a_player_are_found_by_an_index(rider: User) -> None:
    assert "player_lists" in waiting_for(rider)[:50].explain()
    assert "player_lists" in listing.seats_on_turn.build(rider.pk).explain()
    assert "player_lists" in turns._turns.build(rider.pk).explain()


def test_unseen_endings_of_a_player_are_found_by_an_index(rider: User) -> None:
    assert "player_unseen" in unseen_results(rider)[:50].explain()
    assert "player_unseen" in listing.seats_unseen.build(rider.pk).explain()


def test_matches_in_which_a_player_waits_are_found_by_an_index(rider: User) -> None:
    assert "player_lists" in listing.seats_not_on_turn.build(rider.pk).explain()


@pytest.mark.parametrize("live", [True, False])
def test_a_page_of_a_players_matches_is_found_by_an_index(rider: User, live: bool) -> None:
    newest = Match.objects.latest("pk").pk
    assert "player_lists" in own_matches.seats(rider.pk, live=live, before=newest)[:51].explain()


def test_finished_matches_are_read_in_their_order(rider: User) -> None:
    """So a page costs what it shows, however many a player has finished."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":  # for a table that is short
            cursor.execute("SET LOCAL enable_sort = off; SET LOCAL enable_bitmapscan = off")
    plan = own_matches.seats(rider.pk, live=False, before=None)[:51].explain()
    assert "Sort" not in plan and "TEMP B-TREE" not in plan


def test_running_matches_are_counted_by_an_index() -> None:
    assert "match_live" in Match.objects.filter(finished_at=None).explain()


def test_all_matches_of_a_player_are_found_by_an_index(rider: User) -> None:
    """The query of the admin's search by handle."""
    seated = Player.objects.filter(user__username=rider.username).values("match")
    assert "player_lists" in seated.explain()


def test_an_update_of_a_player_writes_to_few_indexes() -> None:
    """Every move writes two rows of players, to each index on them."""
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, Player._meta.db_table)
    indexes = {
        name: tuple(each["columns"])
        for name, each in constraints.items()
        if (each["index"] or each["unique"]) and not each["primary_key"]
    }
    partial = {index.name for index in Player._meta.indexes if index.condition is not None}
    assert {columns for name, columns in indexes.items() if name not in partial} == {
        ("match_id", "seat"),
        ("user_id", "live", "to_act", "match_id"),
    }


# What a move writes.
WRITTEN = (Match, Player, Ply, Draft, Dispatch, StoredResponse, StoredApiResponse)


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such indexes")
def test_no_like_index_is_written_by_a_move() -> None:
    """Django adds one to each text column that is unique or indexed by itself."""
    tables = [model._meta.db_table for model in WRITTEN]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT indexdef FROM pg_indexes WHERE tablename = ANY(%s) AND indexdef LIKE %s",
            [tables, "%\\_pattern\\_ops%"],
        )
        assert cursor.fetchall() == []
