"""A new notification is an event, two entries and its templates (docs/notifications.md)."""

import json
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from config.subscribers import NOTIFICATIONS, SUBSCRIBERS
from games.notifications import catalogue
from games.notifications.policy import relevance
from games.notifications.policy.kinds import NotificationKind
from games.notifications.policy.notification import Notification
from games.outbox.events import Event, people
from games.outbox.models import Dispatch
from games.outbox.publishing import publish
from games.play.models.match import Match
from tests.notifications.channels.test_push import Browser, new_browser
from tests.notifications.email.reading import delivered, heading, html, text
from tests.notifications.receiver import Receiver
from tests.play import match_helpers

BODY = """{% extends "mail/base.txt" %}
{% block body %}{{ title }}

{{ sentence }}

{% if must %}{{ must }}

{% endif %}Open match: {{ link }}{% endblock %}"""
HTML = """{% extends "mail/base.html" %}
{% block preheader %}{{ game }}{% endblock %}
{% block body %}<h1>{{ title }}</h1>
<p>{{ sentence }}</p>
<p><a class="button" href="{{ link }}">Open match</a></p>{% endblock %}"""


@dataclass(frozen=True, kw_only=True)
class OpponentWaved(Event):
    name = "opponent-waved"

    match: int
    ply: int


def wave(match: Match, user: User, ply: int | None = None) -> None:
    number = match.ply if ply is None else ply
    with transaction.atomic():
        publish(OpponentWaved(match=match.pk, ply=number, people=people([user])))


@pytest.fixture
def waving(monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path) -> None:
    """All that a new notification needs: its templates and its entry."""
    folder = tmp_path / "mail" / "wave"
    folder.mkdir(parents=True)
    (folder / "body.txt").write_text(BODY)
    (folder / "body.html").write_text(HTML)
    (engine,) = settings.TEMPLATES
    settings.TEMPLATES = [{**engine, "DIRS": [*engine["DIRS"], tmp_path]}]
    entry = Notification(
        event=OpponentWaved,
        kind=NotificationKind.TURN,
        still_true=relevance.to_act,
        title="%(opponent)s waves in match %(number)s",
        email="wave",
        sentence="Wave back, %(opponent)s would like that.",
    )
    monkeypatch.setitem(catalogue.NOTIFICATIONS, entry.name, entry)
    monkeypatch.setitem(SUBSCRIBERS, entry.event, (NOTIFICATIONS,))


@pytest.fixture
def browser(receiver: Receiver, bob: User) -> Browser:
    """Bob is reached by e-mail, on one device and at one webhook."""
    browser = new_browser(receiver)
    client = Client()
    client.force_login(bob)
    client.post("/notifications/devices/", browser.subscription)
    client.post("/notifications/webhooks/", {"url": receiver.url("/hook"), "style": "json"})
    return browser


def test_it_is_sent_over_every_channel(
    waving: None, match: Match, browser: Browser, receiver: Receiver, bob: User
) -> None:
    match_helpers.play(match, "a4-a5")
    delivered()
    receiver.received.clear()
    wave(match, bob)
    (email,) = delivered()

    title = f"Alice waves in match {match.pk}"
    assert (heading(email), email.to) == (title, [bob.email])
    for part in (text(email), html(email)):
        assert title in part
        assert "Wave back, Alice would like that." in part
    called = {one.path: one for one in receiver.received}
    assert called.keys() == {"/push/1", "/hook"}
    assert browser.open(called["/push/1"])["title"] == title
    posted = json.loads(called["/hook"].body)
    assert (posted["type"], posted["kind"], posted["title"]) == ("opponent-waved", "turn", title)


def test_it_is_not_sent_when_it_is_no_longer_true(
    waving: None, match: Match, browser: Browser, receiver: Receiver, bob: User
) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    delivered()
    receiver.received.clear()
    wave(match, bob, match.ply - 1)
    assert delivered() == [] and receiver.received == []
    rows = Dispatch.objects.filter(event="opponent-waved")
    assert {row.handler for row in rows if row.superseded_at} == {"notify", "push", "webhook"}


def test_without_its_entries_it_cannot_be_published(match: Match, bob: User) -> None:
    with pytest.raises(LookupError, match="opponent-waved"):
        wave(match, bob)
