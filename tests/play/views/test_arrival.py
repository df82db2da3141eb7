"""A move counts from its arrival at the first of our own machines."""

import time
from datetime import timedelta
from ipaddress import ip_network
from typing import Any

import pytest
from django.test import Client, RequestFactory

from accounts.models import User
from games.play.commands import deadlines
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.play.time_controls import DEADLINE_GRACE
from games.play.views import arrival
from lib.db_clock import frozen_at, now
from tests.play.match_helpers import People, running_match

LATE = "arrived after the time had run out"


@pytest.fixture
def behind_proxy(settings: Any) -> None:
    settings.PROXY_STAMPS_ARRIVAL = True
    settings.PROXY_ADDRESSES = [ip_network("10.0.0.0/8")]


def waited_seconds(stamp: str = "", address: str = "10.0.0.7", **environment: Any) -> float:
    """The seconds that a request with this stamp has waited."""
    request = RequestFactory().post(
        "/", headers={"X-Request-Start": stamp}, REMOTE_ADDR=address, **environment
    )
    return arrival.waited(request).total_seconds()


@pytest.mark.parametrize("form", ["t={:.3f}", "{:.3f}", "{:.6f}"])
@pytest.mark.usefixtures("behind_proxy")
def test_the_stamp_of_our_proxy_is_read(form: str) -> None:
    assert 6.9 <= waited_seconds(form.format(time.time() - 7)) < 9


@pytest.mark.usefixtures("behind_proxy")
def test_milliseconds_are_read_as_such() -> None:
    assert 6.9 <= waited_seconds(str(int((time.time() - 7) * 1000))) < 9


@pytest.mark.parametrize("address", ["8.8.8.8", "127.0.0.1", "::1"])
@pytest.mark.usefixtures("behind_proxy")
def test_stamps_of_other_machines_are_ignored(address: str) -> None:
    assert waited_seconds(f"t={time.time() - 7:.3f}", address) < 1


def test_without_a_proxy_every_stamp_is_ignored() -> None:
    assert waited_seconds(f"t={time.time() - 7:.3f}", "127.0.0.1") < 1


@pytest.mark.usefixtures("behind_proxy")
def test_a_unix_socket_belongs_to_the_proxy() -> None:
    assert 6.9 <= waited_seconds(f"t={time.time() - 7:.3f}", "localhost") < 9


@pytest.mark.parametrize(
    "stamp",
    [
        "",
        "t=",
        "yesterday",
        "t=-5",
        "t=9999999999",
        "1e9",
        "t=1700000000",
        "17",
        "t=1" * 99,
        "٣" * 10,
    ],
)
@pytest.mark.usefixtures("behind_proxy")
def test_an_implausible_stamp_is_ignored(stamp: str) -> None:
    assert 0 <= waited_seconds(stamp) < 1


def test_the_stamp_of_the_web_server_is_read() -> None:
    stamp: dict[str, Any] = {arrival.SERVER_STAMP: time.time() - 7}
    assert 6.9 <= waited_seconds(**stamp) < 9


def time_was_up(match: Match, since: timedelta) -> None:
    deadline = now() - since
    Player.objects.filter(match=match, to_act=True).update(
        since=deadline - timedelta(days=3), deadline=deadline, check_at=deadline + DEADLINE_GRACE
    )


def send(user: User, match: Match, waited_seconds: float = 0.0) -> str:
    client = Client()
    client.force_login(user)
    stamp: dict[str, Any] = {arrival.SERVER_STAMP: time.time() - waited_seconds}
    form = {"move": "a4-a5", "ply": match.ply}
    return client.post(f"/match/{match.pk}/move/", form, follow=True, **stamp).content.decode()


def test_a_move_within_the_grace_period_counts_and_its_clock_is_not_negative(
    match: Match, alice: User
) -> None:
    time_was_up(match, DEADLINE_GRACE - timedelta(seconds=20))
    assert LATE not in send(alice, match)
    played = Ply.objects.latest("pk")
    assert played.kind == "move"
    assert deadlines.sweep()["ended"] == 0


def test_a_move_after_the_grace_period_is_late(match: Match, alice: User) -> None:
    time_was_up(match, DEADLINE_GRACE + timedelta(seconds=1))
    assert LATE in send(alice, match)
    assert deadlines.sweep()["ended"] == 1


def test_a_move_that_waited_for_a_thread_counts_from_its_arrival(who: People) -> None:
    with frozen_at(now() - timedelta(hours=1)):
        match = running_match(who)
    time_was_up(match, DEADLINE_GRACE + timedelta(seconds=60))
    assert LATE not in send(who.alice, match, waited_seconds=90)
    arrived = Ply.objects.latest("pk").at
    assert timedelta(seconds=80) < now() - arrived < timedelta(seconds=100)


def test_it_never_arrives_before_the_turn_began(match: Match, alice: User) -> None:
    begun = Ply.objects.latest("pk").at
    send(alice, match, waited_seconds=500)
    assert Ply.objects.latest("pk").at >= begun
