"""Deadlines with a real worker and beat: matches end without any request."""

from collections.abc import Callable
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from games.play.models.match import Match
from games.play.models.time import Heartbeat
from tests.play.match_helpers import SETUPS
from tests.servers import wait_for
from tests.stack import Stack

SOUTH, NORTH = SETUPS["lattaque-10x10"]

PREPARE = f"""
from datetime import timedelta
from accounts.models import User
from games.play.commands import matches, moves
from games.play.models.match import Player
from lib.db_clock import now
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat

people = [User.objects.create_confirmed(n, n + "@example.org") for n in ("Alice", "Bob")]
def open_and_set_up():
    return matches.open_match(Terms("lattaque-en"), dict(zip(Seat, people)))
played, unset = open_and_set_up(), open_and_set_up()
moves.submit_move(played.pk, people[0], {SOUTH!r}, None)
moves.submit_move(played.pk, people[1], {NORTH!r}, None)
moves.submit_move(played.pk, people[0], "a4-a5", 2)
moves.submit_move(unset.pk, people[0], {SOUTH!r}, None)
late = now() - timedelta(minutes=2)
Player.objects.filter(to_act=True).update(deadline=late, check_at=late)
"""


@pytest.mark.servers
def test_overdue_matches_end_and_both_players_are_notified(stack: Callable[..., Stack]) -> None:
    service = stack(web=0)
    service.shell(PREPARE)

    def ended() -> list[tuple[str, ...]] | None:
        rows = service.ask(Match.objects.order_by("pk").values_list("status", "result", "reason"))
        return rows if all(status not in ("setup", "running") for status, *_ in rows) else None

    assert wait_for(ended, "both matches ended", 90) == [
        ("finished", "S", "time"),
        ("cancelled", "", "no set-up in time"),
    ]

    def all_notified() -> bool:
        files = Path(service.var, "mail").glob("*.eml")
        emails = [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]
        return all(
            any(
                person in email["To"] and words in email.get_body(("plain",)).get_content()
                for email in emails
            )
            for person in ("alice", "bob")
            for words in ("ran out of time", "not every army was set up in time")
        )

    wait_for(all_notified, "e-mails about both endings to both players", 60)
    wait_for(lambda: service.ask(Heartbeat.objects.values_list("pk")), "a heartbeat", 120)
