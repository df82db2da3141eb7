"""While no move could be played, no time counts."""

import json
from collections.abc import Callable

import pytest

from games.play import commands, ledger, rehearsal
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.relay.models import Dispatch
from tests.play import tables
from tests.play.tables import People
from tests.stack import Stack

ASK = {rehearsal.HEADER: rehearsal.password()}

# A match whose time will be up in an hour, and what the workers do about that two hours later.
BEGIN = """
from datetime import timedelta
from games.play import tasks
from games.play.models.match import Player
from games.relay.moment import now
from tests.play import tables
tables.running_match(tables.people(), "a4-a5")
Player.objects.filter(to_act=True).update(deadline=now() + timedelta(hours=1))
tasks.beat()
"""
LATER = """
import json
from datetime import timedelta
from games.play import tasks
from games.play.models.match import Match
from games.play.models.time import Outage
from games.relay.moment import now, standing_at
with standing_at(now() + timedelta(hours=2)):
    tasks.beat()
    tasks.sweep()
print(json.dumps([Match.objects.get().status, Outage.objects.count()]))
"""


def everything() -> list[object]:
    return [list(kind.objects.order_by("pk").values()) for kind in (Match, Player, Ply, Dispatch)]


def test_a_rehearsed_move_leaves_nothing_behind(who: People, client) -> None:
    tables.running_match(who, "a4-a5")
    before = everything()
    assert client.get("/rehearsal/", headers=ASK).status_code == 204
    assert everything() == before


def test_it_fails_where_a_move_fails(who: People, client, monkeypatch) -> None:
    tables.running_match(who, "a4-a5")
    client.raise_request_exception = False

    def full(*_: object, **__: object) -> None:
        raise OSError("No space left on device")

    monkeypatch.setattr(ledger, "seal", full)
    assert client.get("/rehearsal/", headers=ASK).status_code == 500


def test_matches_that_are_broken_do_not_stop_time_for_all(who: People, client) -> None:
    matches = [tables.running_match(who, "a4-a5") for _ in range(rehearsal.MATCHES + 2)]
    Ply.objects.exclude(match=matches[-1]).update(sealed=b"broken")
    assert client.get("/rehearsal/", headers=ASK).status_code == 204
    Ply.objects.update(sealed=b"broken")
    client.raise_request_exception = False
    assert client.get("/rehearsal/", headers=ASK).status_code == 500


def test_where_nobody_plays_there_is_nothing_to_try(db: None, client) -> None:
    assert client.get("/rehearsal/", headers=ASK).status_code == 204


@pytest.mark.parametrize("headers", [{}, {rehearsal.HEADER: "guessed"}])
def test_nobody_else_is_answered(who: People, client, monkeypatch, headers) -> None:
    tables.running_match(who, "a4-a5")
    monkeypatch.setattr(commands, "write_move", None)
    assert client.get("/rehearsal/", headers=headers).status_code == 404


@pytest.mark.servers
def test_a_web_server_that_is_down_alone_costs_nobody_a_match(stack: Callable[..., Stack]) -> None:
    service = stack(web=1, workers=0, beat=0)
    service.environment["WEB_URL"] = service.url()
    service.shell(BEGIN)
    service.kill("web1")
    assert json.loads(service.shell(LATER).splitlines()[-1]) == ["running", 0]
    service.start("web1")
    service.wait_until_up("web1")
    # The time since the last beat is given back, and the match goes on.
    assert json.loads(service.shell(LATER).splitlines()[-1]) == ["running", 1]
