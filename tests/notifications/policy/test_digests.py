"""Digests: once or twice a day, at the reader's hours."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email import message_from_bytes
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.notifications import planning
from games.notifications.models import Mailbox
from games.notifications.policy import summaries
from games.outbox.delivery import dispatcher
from games.outbox.handling import Batch
from games.outbox.models import PENDING, Dispatch
from games.play.commands import deadlines, endings
from games.play.models.match import Match
from lib.db_clock import frozen_at
from tests.notifications.channels.test_push import new_browser
from tests.notifications.channels.test_webhooks import add
from tests.notifications.email.reading import delivered, heading, html, sources, text
from tests.notifications.receiver import Receiver
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.servers import SmtpSink

pytestmark = pytest.mark.postgresql_soak

NOON = datetime(2026, 1, 20, 12, tzinfo=UTC)
PARIS = ZoneInfo("Europe/Paris")


@pytest.fixture(autouse=True)
def daily(bob: User, prefer: Callable[..., None]) -> None:
    prefer(bob, zone="Europe/Paris", frequency="daily", first_hour=8)


def emails_sent_to(reader: User, at: datetime) -> list[EmailMultiAlternatives]:
    with frozen_at(at):
        return [email for email in delivered() if email.to == [reader.email]]


def morning(day: int, hour: int = 8) -> datetime:
    return datetime(2026, 1, day, hour, tzinfo=PARIS).astimezone(UTC)


def waiting_rows(reader: User) -> list[Dispatch]:
    return list(Dispatch.objects.filter(PENDING, user=reader).order_by("pk"))


@pytest.fixture
def sink(settings: Settings, smtp_sink: SmtpSink) -> SmtpSink:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp_sink.port
    return smtp_sink


@pytest.fixture
def three_due_rows(who: People, bob: User) -> list[Dispatch]:
    """Three rows for Bob that are due in the morning."""
    with frozen_at(NOON):
        for _ in range(3):
            match_helpers.running_match(who, "a4-a5")
        delivered()
    Dispatch.objects.filter(PENDING).exclude(event="turn-came", user=bob).delete()
    rows = waiting_rows(bob)
    assert len(rows) == 3
    return rows


def test_everything_that_waits_is_in_one_email(who: People, bob: User) -> None:
    with frozen_at(NOON):
        matches = [match_helpers.running_match(who, "a4-a5") for _ in range(3)]
        assert emails_sent_to(bob, NOON) == []
    assert emails_sent_to(bob, morning(21) - timedelta(minutes=1)) == []
    (email,) = emails_sent_to(bob, morning(21))
    assert email.subject == "3 matches are waiting for you"
    for match in matches:
        assert f"* Match {match.pk}: Alice, L'Attaque\n" in text(email)
    assert "23 Jan 2026, 13:00 (Europe/Paris); 2 days 5 hours left." in text(email)
    assert emails_sent_to(bob, morning(22)) == []
    assert not Dispatch.objects.filter(sent_at=None, superseded_at=None).exists()


def test_urgent_matches_come_first_and_are_in_the_subject(who: People, bob: User) -> None:
    with frozen_at(NOON):
        calm = match_helpers.running_match(who, "a4-a5")
        urgent = match_helpers.new_match(who, pace="1d")
        match_helpers.play(match_helpers.set_up(urgent), "a4-a5")
        (email,) = emails_sent_to(bob, morning(21))
    assert email.subject == "1 urgent match: less than a day left"
    body = text(email)
    assert body.index(f"* Urgent: Match {urgent.pk}: Alice") < body.index(
        f"* Match {calm.pk}: Alice"
    )


def test_other_events_are_below(who: People, bob: User) -> None:
    with frozen_at(NOON):
        match = match_helpers.running_match(who, "a4-a5", "j7-j6")
        endings.resign(match.pk, who.alice)
    (email,) = emails_sent_to(bob, morning(21))
    assert email.subject == "News about your matches"
    news = f"News:\n\n* Match {match.pk} against Alice is over\n  Bob won"
    assert news in text(email) and "<p>News:</p>" in re.sub(' style="[^"]*"', "", html(email))


def test_no_digest_is_sent_without_news(who: People, bob: User) -> None:
    with frozen_at(NOON):
        match = match_helpers.running_match(who, "a4-a5")
        match_helpers.play(match, "j7-j6")
    assert emails_sent_to(bob, morning(21)) == []


def test_digests_twice_a_day_are_sent_at_both_hours(
    who: People, bob: User, prefer: Callable[..., None]
) -> None:
    prefer(bob, frequency="twice", first_hour=8, second_hour=18)
    with frozen_at(NOON):
        match_helpers.running_match(who, "a4-a5")
        delivered()
    assert len(emails_sent_to(bob, morning(20, 18))) == 1
    with frozen_at(morning(20, 19)):
        match_helpers.running_match(who, "a4-a5")
        delivered()
    assert len(emails_sent_to(bob, morning(21))) == 1


def test_a_reminder_is_a_separate_email(who: People, bob: User) -> None:
    with frozen_at(NOON):
        match_helpers.running_match(who, "a4-a5")
    emails_sent_to(bob, morning(21))
    with frozen_at(NOON + timedelta(days=2.5)):
        deadlines.sweep()
        (email,) = emails_sent_to(bob, NOON + timedelta(days=2.5))
    assert heading(email).startswith("Reminder")


def test_a_changed_time_zone_moves_the_digest(who: People, bob: User) -> None:
    with frozen_at(NOON):
        match_helpers.running_match(who, "a4-a5")
        delivered()
        browser = Client()
        browser.force_login(bob)
        browser.post("/people/preferences/", {"zone": "Asia/Taipei", "language": "", "theme": ""})
    taipei = datetime(2026, 1, 21, 8, tzinfo=ZoneInfo("Asia/Taipei")).astimezone(UTC)
    assert emails_sent_to(bob, taipei - timedelta(minutes=1)) == []
    (email,) = emails_sent_to(bob, taipei)
    assert "(Asia/Taipei)" in text(email)


def test_a_digest_contains_no_rank_and_no_move(who: People, bob: User) -> None:
    with frozen_at(NOON):
        match_helpers.running_match(who, "a4-a5", "j7xj4", "b4-b5")
        email = emails_sent_to(bob, morning(21))[0]
    for word in ("Scout", "Miner", "j7", "j4", "b5"):
        assert word not in sources(email)


def test_an_undelivered_digest_is_retried_completely(
    who: People, bob: User, sink: SmtpSink
) -> None:
    with frozen_at(NOON):
        match_helpers.running_match(who, "a4-a5")
        match_helpers.running_match(who, "a4-a5")
        delivered()
    sink.mood = "busy"
    emails_sent_to(bob, morning(21))
    sink.mood = "accept"
    before = len(sink.emails)
    mail.outbox = []
    emails_sent_to(bob, morning(21) + timedelta(hours=1))
    emails_sent_to(bob, morning(21) + timedelta(hours=2))
    (email,) = sink.emails[before:]
    assert b"Subject: 2 matches are waiting for you" in email


@pytest.mark.parametrize(
    ("mood", "answer"), [("accept", "552 5.2.2 Mailbox full"), ("refuse", "250 OK")]
)
def test_a_digest_refused_for_good_counts_as_one_bounce(
    three_due_rows: list[Dispatch], bob: User, sink: SmtpSink, mood: str, answer: str
) -> None:
    sink.mood, sink.answer = mood, answer
    emails_sent_to(bob, morning(21))
    assert Mailbox.objects.get(user=bob).bounces == 1 and len(sink.emails) <= 1
    bob.refresh_from_db()
    assert bob.unreached == ("email" if mood == "refuse" else "")
    for row in three_due_rows:
        row.refresh_from_db()
        assert row.dead_at and row.error and not row.superseded_at and not row.lease_until


def test_a_postponed_digest_is_postponed_once(
    three_due_rows: list[Dispatch], bob: User, sink: SmtpSink
) -> None:
    sink.answer = "451 4.3.0 Try again later"
    emails_sent_to(bob, morning(21))
    assert len(sink.emails) == 1 and waiting_rows(bob) == three_due_rows
    assert {(row.attempts, row.lease_until) for row in waiting_rows(bob)} == {(1, None)}
    sink.answer = "250 OK"
    emails_sent_to(bob, morning(21) + timedelta(minutes=1))
    assert len(sink.taken) == 1 and waiting_rows(bob) == []


def test_a_retried_digest_with_more_news_has_another_message_id(
    three_due_rows: list[Dispatch], who: People, bob: User, sink: SmtpSink
) -> None:
    """A mailbox that has the first e-mail may drop a second one with the same Message-ID."""
    sink.answer = "451 4.3.0 Try again later"
    emails_sent_to(bob, morning(21))
    emails_sent_to(bob, morning(21) + timedelta(minutes=1))
    with frozen_at(morning(21) + timedelta(minutes=2)):
        match_helpers.running_match(who, "a4-a5")
        dispatcher.drain()
    sink.answer = "250 OK"
    emails_sent_to(bob, morning(21) + timedelta(hours=1))
    first, second, *_, last = (message_from_bytes(raw)["Message-ID"] for raw in sink.emails)
    assert first == second != last


def test_rows_for_the_next_day_do_not_fail_with_the_digest(
    three_due_rows: list[Dispatch], who: People, bob: User, sink: SmtpSink
) -> None:
    sink.answer = "451 4.3.0 Try again later"
    emails_sent_to(bob, morning(21))
    with frozen_at(morning(21) + timedelta(seconds=10)):
        match_helpers.running_match(who, "a4-a5")
        dispatcher.drain()
    emails_sent_to(bob, morning(21) + timedelta(minutes=1))
    rows = waiting_rows(bob)
    assert rows[:3] == three_due_rows and {row.attempts for row in rows[:3]} == {2}
    assert {(row.attempts, row.not_before) for row in rows[3:]} == {(0, morning(22))}


def test_turns_in_a_digest_are_sent_once_over_other_channels(
    who: People, bob: User, receiver: Receiver, client: Client
) -> None:
    phone = new_browser(receiver)
    client.force_login(bob)
    with frozen_at(NOON):
        client.post("/notifications/devices/", phone.subscription)
        add(client, receiver, "json")
        first = match_helpers.running_match(who, "a4-a5")
        delivered()
    with frozen_at(morning(21)):
        (row,) = dispatcher.claim(1)
        # No dispatcher has processed this turn when the digest lists it.
        second = match_helpers.running_match(who, "a4-a5")
        batch = Batch([row])
        dispatcher.deliver(row, batch)
        batch.close()
    about_second = Dispatch.objects.filter(event="turn-came", ref__match=second.pk, user=bob)
    assert about_second.get(handler="notify").superseded_at
    with frozen_at(morning(21) + timedelta(minutes=1)):
        assert [email for email in delivered() if email.to == [bob.email]] == []
    pushed = [one for one in receiver.received if one.path == "/push/1"]
    hooked = [json.loads(one.body) for one in receiver.received if one.path != "/push/1"]
    links = [summaries.absolute_url(match.get_absolute_url()) for match in (first, second)]
    assert [phone.open(one)["link"] for one in pushed] == links
    assert [payload["link"] for payload in hooked] == links


def test_turns_that_come_while_a_digest_is_written_are_sent_over_other_channels_too(
    who: People,
    bob: User,
    receiver: Receiver,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client.force_login(bob)
    with frozen_at(NOON):
        add(client, receiver, "json")
        match_helpers.running_match(who, "a4-a5")
        delivered()
    plan_channels = planning.plan_channels
    late: list[Match] = []

    def plan_just_before(reader: User, rows: list[Dispatch]) -> None:
        plan_channels(reader, rows)
        if reader == bob and not late:
            late.append(match_helpers.running_match(who, "a4-a5"))

    monkeypatch.setattr(planning, "plan_channels", plan_just_before)
    receiver.received.clear()
    assert len(emails_sent_to(bob, morning(21))) == 1
    turns = [json.loads(one.body) for one in receiver.received]
    assert ("turn-came", late[0].pk) in [(payload["type"], payload["match"]) for payload in turns]
    waiting = Dispatch.objects.get(
        event="turn-came", handler="notify", ref__match=late[0].pk, user=bob
    )
    assert waiting.not_before == morning(22) and not waiting.superseded_at


@pytest.mark.parametrize("unwanted", ["turn", "setup"])
def test_set_ups_and_turns_are_listed_by_their_own_preferences(
    who: People, bob: User, prefer: Callable[..., None], unwanted: str
) -> None:
    prefer(bob, unwanted=(f"email {unwanted}",))
    with frozen_at(NOON):
        matches = {
            "setup": match_helpers.new_match(who),
            "turn": match_helpers.running_match(who, "a4-a5"),
        }
        delivered()
    (email,) = emails_sent_to(bob, morning(21))
    assert email.subject == "1 match is waiting for you"
    for kind, match in matches.items():
        assert (f"Match {match.pk}: Alice" in text(email)) == (kind != unwanted)


def test_a_player_without_a_set_up_is_notified_that_a_match_begins(
    who: People, alice: User, prefer: Callable[..., None]
) -> None:
    prefer(alice, zone="Europe/Paris", frequency="daily", first_hour=8)
    with frozen_at(NOON):
        match = match_helpers.new_match(who, "assaut")
        delivered()
    (email,) = emails_sent_to(alice, morning(21))
    assert email.subject == "News about your matches"
    assert f"* Match {match.pk} against Bob begins\n" in text(email)
