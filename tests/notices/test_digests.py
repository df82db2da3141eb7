"""One letter a day or two, at the player's own hours."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.core import mail
from django.core.mail import EmailMultiAlternatives
from django.test import Client

from accounts.models import User
from games.play import commands, timekeeper
from games.relay.models import Dispatch
from games.relay.moment import standing_at
from tests.mail.reading import delivered, sources, text
from tests.play import tables
from tests.play.tables import People
from tests.servers import SmtpSink

NOON = datetime(2026, 1, 20, 12, tzinfo=UTC)
PARIS = ZoneInfo("Europe/Paris")


@pytest.fixture(autouse=True)
def daily(bob: User, wish: Callable[..., None]) -> None:
    wish(bob, zone="Europe/Paris", rhythm="daily", first_hour=8)


def to(reader: User, at: datetime) -> list[EmailMultiAlternatives]:
    with standing_at(at):
        return [letter for letter in delivered() if letter.to == [reader.email]]


def morning(day: int, hour: int = 8) -> datetime:
    return datetime(2026, 1, day, hour, tzinfo=PARIS).astimezone(UTC)


def test_all_that_waits_comes_in_one_letter(who: People, bob: User) -> None:
    with standing_at(NOON):
        matches = [tables.running_match(who, "a4-a5") for _ in range(3)]
        assert to(bob, NOON) == []
    assert to(bob, morning(21) - timedelta(minutes=1)) == []
    (letter,) = to(bob, morning(21))
    assert letter.subject == "(3) 3 matches wait for you"
    for match in matches:
        assert f"* Your turn against Alice in match {match.pk}\n" in text(letter)
    assert "Friday, 23 January 2026, 13:00 (Europe/Paris); you have 2 days 5 hours." in text(letter)
    assert to(bob, morning(22)) == []
    assert not Dispatch.objects.filter(sent_at=None, superseded_at=None).exists()


def test_urgent_matches_come_first_and_stand_in_the_subject(who: People, bob: User) -> None:
    with standing_at(NOON):
        calm = tables.running_match(who, "a4-a5")
        urgent = tables.open_table(who, pace="1d")
        tables.play(tables.set_up(urgent), "a4-a5")
        (letter,) = to(bob, morning(21))
    assert letter.subject == "(2) 1 urgent: less than a day is left"
    told = text(letter)
    assert told.index(f"* Urgent: Your turn against Alice in match {urgent.pk}") < told.index(
        f"* Your turn against Alice in match {calm.pk}"
    )


def test_what_else_happened_stands_below(who: People, bob: User) -> None:
    with standing_at(NOON):
        match = tables.running_match(who, "a4-a5", "j7-j6")
        commands.resign(match.pk, who.alice)
    (letter,) = to(bob, morning(21))
    assert letter.subject == "News of your matches"
    assert f"* Match {match.pk} against Alice is over\n  Bob won" in text(letter)


def test_nothing_new_is_no_letter(who: People, bob: User) -> None:
    with standing_at(NOON):
        match = tables.running_match(who, "a4-a5")
        tables.play(match, "j7-j6")
    assert to(bob, morning(21)) == []


def test_twice_a_day_is_at_both_hours(who: People, bob: User, wish: Callable[..., None]) -> None:
    wish(bob, rhythm="twice", first_hour=8, second_hour=18)
    with standing_at(NOON):
        tables.running_match(who, "a4-a5")
        delivered()
    assert len(to(bob, morning(20, 18))) == 1
    with standing_at(morning(20, 19)):
        tables.running_match(who, "a4-a5")
        delivered()
    assert len(to(bob, morning(21))) == 1


def test_a_reminder_is_a_letter_of_its_own(who: People, bob: User) -> None:
    with standing_at(NOON):
        tables.running_match(who, "a4-a5")
    to(bob, morning(21))
    with standing_at(NOON + timedelta(days=2.5)):
        timekeeper.sweep()
        (letter,) = to(bob, NOON + timedelta(days=2.5))
    assert letter.subject.startswith("Reminder")


def test_a_zone_that_is_changed_in_mid_match_moves_the_letter(who: People, bob: User) -> None:
    with standing_at(NOON):
        tables.running_match(who, "a4-a5")
        delivered()
        browser = Client()
        browser.force_login(bob)
        browser.post("/people/preferences/", {"zone": "Asia/Taipei", "language": "", "theme": ""})
    taipei = datetime(2026, 1, 21, 8, tzinfo=ZoneInfo("Asia/Taipei")).astimezone(UTC)
    assert to(bob, taipei - timedelta(minutes=1)) == []
    (letter,) = to(bob, taipei)
    assert "(Asia/Taipei)" in text(letter)


def test_no_rank_and_no_move_is_in_it(who: People, bob: User) -> None:
    with standing_at(NOON):
        tables.running_match(who, "a4-a5", "j7xj4", "b4-b5")
        letter = to(bob, morning(21))[0]
    for word in ("Scout", "Miner", "j7", "j4", "b5"):
        assert word not in sources(letter)


def test_a_digest_that_was_not_taken_comes_again_whole(
    who: People, bob: User, settings, smtp_sink: SmtpSink
) -> None:
    with standing_at(NOON):
        tables.running_match(who, "a4-a5")
        tables.running_match(who, "a4-a5")
        delivered()
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp_sink.port
    smtp_sink.mood = "busy"
    to(bob, morning(21))
    smtp_sink.mood = "accept"
    before = len(smtp_sink.letters)
    mail.outbox = []
    to(bob, morning(21) + timedelta(hours=1))
    to(bob, morning(21) + timedelta(hours=2))
    (letter,) = smtp_sink.letters[before:]
    assert b"Subject: (2) 2 matches wait for you" in letter
