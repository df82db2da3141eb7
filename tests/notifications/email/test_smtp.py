"""E-mails through a real mail server that accepts, refuses or fails."""

from datetime import timedelta
from email import message_from_bytes, policy
from email.message import EmailMessage
from html import unescape

import pytest
from pytest_django import Settings

from accounts.models import User
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.play.commands import endings
from games.play.models.match import Match
from lib.db_clock import frozen_at, now
from tests.play import match_helpers
from tests.servers import SmtpSink


@pytest.fixture
def post(match: Match, settings: Settings, smtp_sink: SmtpSink) -> SmtpSink:
    """Alice has moved; e-mails are delivered to the mail server from now on."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp_sink.port
    match_helpers.play(match, "a4-a5")
    return smtp_sink


def received_emails(post: SmtpSink) -> list[EmailMessage]:
    return [message_from_bytes(email, policy=policy.default) for email in post.emails]


def test_an_email_arrives_unchanged(post: SmtpSink, bob: User) -> None:
    dispatcher.drain()
    (email,) = received_emails(post)
    assert email["To"] == bob.email and ", L'Attaque" in email["Subject"]
    plain, html = email.get_body(("plain",)), email.get_body(("html",))
    assert plain and html and "Alice moved from a4 to a5." in plain.get_content()
    assert "Alice moved from a4 to a5." in html.get_content()


@pytest.mark.parametrize("mood", ["busy", "cut"])
def test_an_undelivered_email_is_retried_with_the_same_message_id(
    post: SmtpSink, mood: str
) -> None:
    post.mood = mood
    dispatcher.drain()
    before = received_emails(post)
    post.mood = "accept"
    with frozen_at(now() + timedelta(hours=1)):
        dispatcher.drain()
    emails = received_emails(post)
    assert len(emails) == len(before) + 1
    assert {email["Message-ID"] for email in emails} == {emails[0]["Message-ID"]}
    assert not Dispatch.objects.filter(sent_at=None, superseded_at=None).exists()


def test_an_undelivered_email_is_dropped_once_the_turn_has_passed(
    post: SmtpSink, match: Match, bob: User
) -> None:
    post.mood = "busy"
    dispatcher.drain()
    post.mood = "accept"
    endings.resign(match.pk, bob)
    with frozen_at(now() + timedelta(hours=1)):
        dispatcher.drain()
    bodies = [email.get_body(("plain",)).get_content() for email in received_emails(post)]
    assert all(body.startswith("Alice won: ") for body in bodies)
    assert len(received_emails(post)) == 2


def test_emails_in_other_alphabets_arrive(post: SmtpSink, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(language="zh-hant", zone="Asia/Taipei")
    dispatcher.drain()
    (email,) = received_emails(post)
    plain, html = email.get_body(("plain",)), email.get_body(("html",))
    assert plain and html
    assert "年" in plain.get_content() and "年" in unescape(html.get_content())
    assert post.emails[0].isascii()
