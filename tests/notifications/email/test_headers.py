"""Envelope and headers: threads, Message-IDs, unsubscribing, no header injection."""

import re
from email.generator import BytesGenerator
from io import BytesIO
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.core.mail import BadHeaderError
from django.test import Client

from accounts.models import User
from games.notifications.email.composing.message import compose
from games.notifications.email.sending.mime import Email
from games.notifications.notify import notify
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.play.models.match import Match
from lib.db_clock import frozen_at, now
from tests.floors import at_least
from tests.notifications.email.conftest import Emails
from tests.notifications.email.reading import (
    delivered,
    html,
    only,
    parsed,
    sent_emails,
    text,
    travelling,
)
from tests.play import match_helpers


def test_the_emails_of_a_match_are_one_thread(emails: Emails) -> None:
    begun = parsed(emails["began"])
    assert re.fullmatch(rf"<match\.\d+@{settings.MAIL_DOMAIN}>", begun["References"])
    for name in ("began", "turn", "reminder", "draw_offered", "draw_declined", "over"):
        headers = parsed(emails[name])
        assert headers["References"] == headers["In-Reply-To"] == begun["References"]


def test_a_retry_has_the_same_message_id(match: Match) -> None:
    match_helpers.play(match, "a4-a5")
    dispatch = Dispatch.objects.filter(event="turn-came").select_related("user").latest("pk")
    mail.outbox = []
    with frozen_at(now()):
        notify(dispatch, Batch())
        notify(dispatch, Batch())
    first, second = map(parsed, sent_emails())
    assert first["Message-ID"] == second["Message-ID"] == dispatch.message_id
    assert first.get_boundary() == second.get_boundary()


def test_an_email_has_the_same_bytes_each_time(match: Match) -> None:
    match_helpers.play(match, "a4-a5")
    (email,) = delivered()
    assert travelling(email) == travelling(email)


def test_the_bytes_are_those_of_the_standard_library(emails: Emails) -> None:
    """Ours is faster: it writes each part at once."""
    for name, email in at_least(15, emails.items()):
        message: Any = email.message()
        for linesep in ("\n", "\r\n"):
            file = BytesIO()
            BytesGenerator(file, mangle_from_=False).flatten(message, linesep=linesep)
            assert message.as_bytes(linesep=linesep) == file.getvalue(), name


@pytest.mark.parametrize(
    ("line", "encoding"),
    [("a" * 998, "7bit"), ("a" * 999, "quoted-printable"), ("é", "quoted-printable")],
)
def test_short_ascii_lines_are_not_encoded(line: str, encoding: str) -> None:
    email = Email(
        "Subject", f"{line}\nA line.", to=["a@example.org"], headers={"Message-ID": "<a>"}
    )
    email.attach_alternative("<p>A line.</p>", "text/html")
    for part in at_least(2, email.message().get_payload()):
        assert part["Content-Transfer-Encoding"] == encoding
        assert part.get_payload(decode=True).decode().endswith(("A line.", "<p>A line.</p>"))


def test_each_email_has_its_own_message_id(emails: Emails) -> None:
    assert len({parsed(email)["Message-ID"] for email in emails.values()}) == len(emails)


def test_mail_programs_can_unsubscribe(match: Match, bob: User) -> None:
    match_helpers.play(match, "a4-a5")
    headers = parsed(only(delivered(), bob))
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    address = headers["List-Unsubscribe"].removeprefix("<").removesuffix(">")
    path = address.removeprefix(settings.SITE_URL)
    browser = Client(enforce_csrf_checks=True)
    assert browser.get(path).status_code == 200
    bob.refresh_from_db()
    assert bob.match_emails
    for _ in range(2):
        assert browser.post(path, {"List-Unsubscribe": "One-Click"}).status_code == 200
    bob.refresh_from_db()
    assert not bob.match_emails and bob.reminder_emails


def test_the_unsubscribe_address_is_on_one_line(match: Match, bob: User) -> None:
    match_helpers.play(match, "a4-a5")
    written = travelling(only(delivered(), bob)).decode()
    assert re.search(r"\r\nList-Unsubscribe: <http\S+>\r\n", written)


def test_reminders_have_their_own_list_id(emails: Emails) -> None:
    lists = {name: parsed(email)["List-Id"] for name, email in emails.items()}
    assert lists.pop("reminder") == f"<reminder.{settings.MAIL_DOMAIN}>"
    # Emails about looks of staff cannot be stopped either.
    for name in ("moderated", "report_closed", "reports_wait", "looked"):
        assert lists.pop(name) == f"<moderation.{settings.MAIL_DOMAIN}>"
    assert set(lists.values()) == {f"<match.{settings.MAIL_DOMAIN}>"}


def test_emails_of_moderators_cannot_be_stopped_or_answered(emails: Emails) -> None:
    for name in ("moderated", "report_closed", "reports_wait"):
        headers = parsed(emails[name])
        assert not {"List-Unsubscribe", "List-Unsubscribe-Post", "Reply-To"} & set(headers.keys())
        assert "nsubscribe" not in text(emails[name]) + html(emails[name])


@pytest.mark.parametrize("evil", ["Bob\nBcc: charlie@example.org", "Bob\r\n\r\n<b>", "Bob\u2028x"])
def test_a_subject_cannot_inject_a_header(alice: User, evil: str) -> None:
    email = compose(
        "draw_offered",
        alice,
        {"link": "http://localhost/"},
        kind="match",
        thread="match.1",
        subject=f"Match 1: {evil}, L'Attaque",
        at=now(),
        message_id="<o1@localhost>",
    )
    headers = parsed(email)
    assert headers.get_all("Bcc") is None and len(headers["Subject"].splitlines()) == 1
    assert email.recipients() == [alice.email]


def test_a_long_subject_in_another_alphabet_arrives_complete(alice: User) -> None:
    email = compose(
        "draw_offered",
        alice,
        {"link": "http://localhost/"},
        kind="match",
        thread="match.1",
        subject="軍旗" * 40,
        at=now(),
        message_id="<o1@localhost>",
    )
    assert parsed(email)["Subject"] == email.subject
    head, _, _body = travelling(email).partition(b"\r\n\r\n")
    assert b"\n" not in head.replace(b"\r\n", b"")
    assert not any(line[:1] == b" " for line in head.split(b"\r\n"))


def test_an_address_with_a_line_break_is_not_used(alice: User) -> None:
    alice.email = "alice@example.org\nBcc: charlie@example.org"
    email = compose(
        "draw_offered",
        alice,
        {"link": "http://localhost/"},
        kind="match",
        thread="match.1",
        subject="Match 1: Bob, L'Attaque",
        at=now(),
        message_id="<o1@localhost>",
    )
    with pytest.raises(BadHeaderError):
        email.message()


def test_a_line_too_long_for_mail_servers_is_broken(match: Match) -> None:
    match_helpers.play(match, "a4-a5")
    (email,) = delivered()
    email.body = "long " * 400 + "\n"
    assert max(map(len, travelling(email).split(b"\r\n"))) < 998
    assert text(email) == email.body
