"""After an account is erased, no table holds its name, its address or its network address."""

from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.test import Client

from accounts.models import Session, User
from accounts.people.erasure import erase
from config.personal_data import retention
from games.idempotency.models import StoredResponse
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.notifications.models import Webhook
from games.outbox.delivery import dispatcher
from games.people.models import Block, Reliability
from games.play.terms import Terms
from lib.db_clock import frozen_at, now
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.secrecy.dump import dump

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

NAME = "Éléonore"
ADDRESS = "203.0.113.77"
TRACES = (NAME, "eleonore@example.org", ADDRESS, "hooks.example.net", "Come and play with me")


def hits() -> list[tuple[str, str]]:
    """Each trace that is in a table, with the table, whatever the case of its letters."""
    tables = [(table, content.decode().casefold()) for table, content in dump()]
    return [
        (trace, table) for table, text in tables for trace in TRACES if trace.casefold() in text
    ]


def live(eleonore: User, who: People, settings: Any) -> None:
    """She plays, offers, blocks, is blocked, signs in, and is acted on by staff."""
    eleonore.set_password("troop of foxes")
    eleonore.save()
    browser = Client(REMOTE_ADDR=ADDRESS)
    browser.post("/account/login/", {"login": NAME, "password": "troop of foxes"})
    browser.get("/people/preferences/")
    people = People(eleonore, who.bob, who.charlie)
    match_helpers.finished_match(people)
    match_helpers.running_match(people, "a4-a5", "j7-j6")
    lobby.offer(eleonore, Terms("lattaque-en"), kind=InvitationKind.SEAT, note=TRACES[-1])
    at = now()
    Webhook.objects.create(
        user=eleonore, url="https://hooks.example.net/x", style="json", added_at=at
    )
    Block.objects.create(owner=eleonore, blocked=who.bob, made_at=at)
    Block.objects.create(owner=who.charlie, blocked=eleonore, made_at=at)
    Reliability.objects.create(user=eleonore)
    LogEntry.objects.create(
        user=who.charlie,
        content_type=ContentType.objects.get_for_model(User),
        object_id=str(eleonore.pk),
        object_repr=NAME,
        action_flag=2,
    )
    path = eleonore.get_absolute_url()
    assert NAME not in path
    StoredResponse.objects.create(
        user=who.bob, key="k", digest=b"", status=302, location=path, at=at
    )
    while dispatcher.drain():
        pass


def test_no_trace_remains(who: People, settings: Any) -> None:
    eleonore = User.objects.create_confirmed(NAME, "eleonore@example.org")
    live(eleonore, who, settings)
    path = eleonore.get_absolute_url()
    assert {trace for trace, _table in hits()} >= {NAME, "eleonore@example.org"}
    assert EmailAddress.objects.filter(user=eleonore).exists()
    assert Session.objects.filter(user=eleonore).exists()
    erase(eleonore)
    while dispatcher.drain():
        pass
    # Counters of rate limits do not say whose address it is; they are deleted at their end.
    assert {table for _trace, table in hits()} <= {"cache"}
    with frozen_at(now() + timedelta(days=1)):
        retention.clean_up()
    assert hits() == []
    assert all(path.encode() not in content for _table, content in dump())


def test_responses_to_forms_of_others_redirect_to_the_front_page(who: People) -> None:
    at = now()
    for user, key, location in (
        (who.bob, "a", "/people/profile/Alice/"),
        (who.bob, "b", "/people/profile/Alicent/"),
    ):
        StoredResponse.objects.create(
            user=user, key=key, digest=b"", status=302, location=location, at=at
        )
    erase(who.alice)
    stored = StoredResponse.objects.order_by("key").values_list("location", flat=True)
    assert list(stored) == ["/", "/people/profile/Alicent/"]
