"""Calm readers get one e-mail between two visits to the site."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from accounts.people import presence
from games.notifications.email import single
from games.notifications.email.sending import delivery
from games.notifications.policy.schedule import CALM
from games.outbox.models import Dispatch
from games.play.commands import courtesies, deadlines
from games.play.models.match import Match
from lib.db_clock import frozen_at, now
from tests.notifications.email.reading import delivered, heading, only, preheader, text
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak

MINUTE = timedelta(minutes=1)


@pytest.fixture(autouse=True)
def calm(bob: User, prefer: Callable[..., None]) -> None:
    prefer(bob, frequency="calm")


def subjects_sent_to(reader: User) -> list[str]:
    """The subjects of the e-mails delivered to this reader now."""
    return [heading(email) for email in delivered() if email.to == [reader.email]]


def turn(match: Match) -> str:
    return f"Your turn against Alice in match {match.pk}"


def test_calm_is_the_default_for_a_new_user(db: None) -> None:
    assert User.objects.create_confirmed("Dora", "dora@example.org").notification_preferences == {}


def test_the_email_is_sent_after_a_quarter_of_an_hour(match: Match, bob: User) -> None:
    at = now()
    with frozen_at(at):
        match_helpers.play(match, "a4-a5")
        assert subjects_sent_to(bob) == []
    with frozen_at(at + CALM - MINUTE):
        assert subjects_sent_to(bob) == []
    with frozen_at(at + CALM):
        assert subjects_sent_to(bob) == [turn(match)]


def test_an_email_about_a_match_paused_meanwhile_says_that_the_clocks_are_stopped(
    match: Match, alice: User, bob: User
) -> None:
    at = now()
    with frozen_at(at):
        match_helpers.play(match, "a4-a5")
        delivered()
    with frozen_at(at + CALM / 2):
        courtesies.offer_pause(match.pk, alice)
        courtesies.accept_pause(match.pk, bob)
        delivered()
    with frozen_at(at + CALM):
        email = only(delivered(), bob)
    sentence = "The match is paused."
    assert heading(email) == turn(match)
    assert sentence in text(email) and preheader(email).startswith(f"{turn(match)} · {sentence}")


def test_a_waiting_email_has_not_failed(match: Match) -> None:
    match_helpers.play(match, "a4-a5")
    delivered()
    waiting = Dispatch.objects.get(event="turn-came", sent_at=None, superseded_at=None)
    assert (waiting.attempts, waiting.error, waiting.lease_until) == (0, "", None)


def test_a_turn_played_meanwhile_causes_no_email(match: Match, bob: User) -> None:
    at = now()
    match_helpers.play(match, "a4-a5", "j7-j6")
    with frozen_at(at + CALM + MINUTE):
        assert subjects_sent_to(bob) == []


def test_no_further_email_is_sent_until_the_player_visits(match: Match, bob: User) -> None:
    at = now()
    match_helpers.play(match, "a4-a5")
    with frozen_at(at + CALM + MINUTE):
        assert len(subjects_sent_to(bob)) == 1
    # Bob plays, but in no way that counts as a visit.
    match_helpers.play(match, "j7-j6", "b4-b5")
    with frozen_at(at + 3 * CALM):
        assert subjects_sent_to(bob) == []
    browser = Client()
    browser.force_login(bob)
    browser.get("/")
    match_helpers.play(match, "j6-j5", "b5-b4")
    with frozen_at(at + 6 * CALM):
        assert len(subjects_sent_to(bob)) == 1


def test_a_visit_while_the_email_is_being_sent_counts(
    match: Match, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = now()
    browser = Client()
    browser.force_login(bob)

    def send(*about: Any, **more: Any) -> None:
        browser.get("/")
        delivery.send(*about, **more)

    match_helpers.play(match, "a4-a5")
    with monkeypatch.context() as patch, frozen_at(at + CALM + MINUTE):
        patch.setattr(single, "send", send)
        assert len(subjects_sent_to(bob)) == 1
    match_helpers.play(match, "j7-j6", "b4-b5")
    with frozen_at(at + 3 * CALM):
        assert len(subjects_sent_to(bob)) == 1
    match_helpers.play(match, "j6-j5", "b5-b4")
    with frozen_at(at + 6 * CALM):
        assert subjects_sent_to(bob) == []


def test_an_open_tab_is_no_visit(bob: User) -> None:
    presence.mark_notified(bob)
    browser = Client()
    browser.force_login(bob)
    browser.get("/", headers={"Sec-Fetch-Mode": "cors"})
    bob.refresh_from_db()
    assert bob.hushed
    browser.get("/", headers={"Sec-Fetch-Mode": "navigate"})
    bob.refresh_from_db()
    assert not bob.hushed


def test_a_present_player_gets_emails_too(match: Match, bob: User) -> None:
    at = now()
    match_helpers.play(match, "a4-a5")
    browser = Client()
    browser.force_login(bob)
    with frozen_at(at + CALM + MINUTE):
        browser.get(match.get_absolute_url())
        assert subjects_sent_to(bob) == [turn(match)]


def test_one_of_several_matches_is_described_and_all_are_counted(who: People, bob: User) -> None:
    at = now()
    matches = [match_helpers.running_match(who, "a4-a5") for _ in range(3)]
    with frozen_at(at + CALM + MINUTE):
        email = only(delivered(), bob)
    assert heading(email) == turn(matches[0])
    assert "3 matches are waiting for you." in " ".join(text(email).split())


def test_reminders_are_sent_without_a_visit(match: Match, bob: User) -> None:
    presence.mark_notified(bob)
    match_helpers.play(match, "a4-a5")
    with frozen_at(now() + timedelta(days=2.5)):
        deadlines.sweep()
        assert subjects_sent_to(bob) == [f"Reminder: your turn against Alice in match {match.pk}"]


def test_switching_to_immediate_emails_sends_what_waits(
    match: Match, bob: User, prefer: Callable[..., None]
) -> None:
    match_helpers.play(match, "a4-a5")
    assert subjects_sent_to(bob) == []
    prefer(bob, frequency="now")
    assert subjects_sent_to(bob) == [turn(match)]


def test_a_player_by_mail_gets_every_email_at_once(
    match: Match, bob: User, prefer: Callable[..., None]
) -> None:
    prefer(bob, by_mail=True)
    for moves in (["a4-a5"], ["j7-j6", "b4-b5"], ["j6-j5", "b5-b4"]):
        match_helpers.play(match, *moves)
        assert subjects_sent_to(bob) == [turn(match)]


def test_an_answer_by_mail_counts_as_a_visit(match: Match, bob: User) -> None:
    at = now()
    match_helpers.play(match, "a4-a5")
    with frozen_at(at + CALM + MINUTE):
        assert len(subjects_sent_to(bob)) == 1
    presence.mark_present(bob)
    match_helpers.play(match, "j7-j6", "b4-b5")
    with frozen_at(at + 3 * CALM):
        assert len(subjects_sent_to(bob)) == 1
