"""The demo has something to show on every page: leaders, tournaments, a ladder, talk."""

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.test import Client
from pytest_django import DjangoDbBlocker

from accounts.models import User
from config.environment import unsafe_settings
from config.management.commands.demo import OTHERS, PLAYERS, STAFF
from games.competitions.ladders.models import Challenge
from games.competitions.tournaments.models import Tournament
from games.house.models import HouseSeat
from games.house.playing import queue
from games.outbox.models import Dispatch
from games.play.models.match import Match, Player, Status
from games.play.record.match_view import view_match
from games.ratings.models import Unit
from lib.db_clock import now
from tests.shared_rows import shared_rows

# To create it takes six seconds; in the fast tier processes/test_up.py does so.
pytestmark = [pytest.mark.django_db, pytest.mark.soak]


def create_demo() -> str:
    """What `manage.py demo` prints where the demo is allowed."""
    printed = StringIO()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(unsafe_settings, "why_no_demo", lambda: "")
        call_command("demo", stdout=printed)
    return printed.getvalue()


@pytest.fixture(scope="module", autouse=True)
def _demo(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    with shared_rows(django_db_blocker):
        assert create_demo().startswith("Created 6 demo players")
        yield


def test_the_demo_is_created_once() -> None:
    matches = Match.objects.count()
    assert create_demo() == "The demo users exist already.\n"
    assert User.objects.filter(username=STAFF).count() == 1
    assert Match.objects.count() == matches


def test_it_has_a_leader_table(client: Client) -> None:
    text = client.get("/ratings/lattaque/").content.decode()
    assert all(name in text for name in PLAYERS)
    assert Unit.objects.filter(why="").count() > 35
    rated = Match.objects.filter(rated=True, event="")
    assert not rated.exclude(status=Status.FINISHED, finished_at__lt=now()).exists()
    # Nobody is notified of results of months ago.
    assert not Player.objects.filter(match__in=rated, unseen=True).exists()
    notified = {row.ref.get("match") for row in Dispatch.objects.filter(sent_at=None)}
    assert notified and notified.isdisjoint(rated.values_list("pk", flat=True))
    assert client.get(rated[0].get_absolute_url()).status_code == 200
    client.force_login(User.objects.get(username="anna"))
    assert client.get("/").status_code == 200


def test_it_has_players_and_matches(client: Client) -> None:
    states = dict(Tournament.objects.values_list("title", "state"))
    assert states == {"Autumn tournament": "finished", "Winter tournament": "running"}
    for made in Tournament.objects.all():
        page = client.get(made.get_absolute_url()).content.decode()
        assert all(name in page for name in (*PLAYERS, *OTHERS))
    assert "emil" in client.get("/ladders/lattaque/").content.decode()
    won, running = Challenge.objects.order_by("pk")
    assert won.settled_at and not running.settled_at
    talking = Match.objects.get(players__talk_lines__gt=0, players__seat=0)
    client.force_login(talking.players.get(seat=0).user)
    assert "Good luck" in client.get(f"/match/{talking.pk}/").content.decode()
    # Nobody has lost on time, and no clock is about to run out.
    assert not Match.objects.filter(reason="time").exists()
    soon = now() + timedelta(hours=12)
    assert not Player.objects.filter(to_act=True, deadline__lt=soon).exists()


def test_the_house_plays_in_it() -> None:
    match = HouseSeat.objects.get().player.match
    assert queue.work() == 1
    view = view_match(match.pk, User.objects.get(username="anna"))
    assert view.my_turn
    assert view.match.ply == match.ply + 1
