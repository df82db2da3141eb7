"""Bounces and complaints: their reader, their effect, and the warnings."""

import sys
from datetime import timedelta
from pathlib import Path

import pytest
from allauth.account.signals import email_changed
from django.core.management import call_command
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import User
from games.mail.answering import worker
from games.mail.models import IncomingMessage
from games.notifications.email import verp
from games.notifications.email.sending.bounces import receive_bounce
from games.notifications.models import Mailbox
from games.notifications.policy.deliverability import Tally
from games.outbox.models import Dispatch
from games.play.models.match import Match
from lib.db_clock import frozen_at, now
from tests import tiers
from tests.notifications.email.reading import delivered, only, parsed
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.servers import SmtpSink

DAY = timedelta(days=1)


def report(status: str, action: str = "failed", more: str = "") -> bytes:
    """A delivery status notification as mail servers write it (RFC 3464)."""
    return f"""From: MAILER-DAEMON@example.net
To: whoever@example.org
Subject: Undelivered Mail
Auto-Submitted: auto-replied
Content-Type: multipart/report; report-type=delivery-status; boundary="b"
MIME-Version: 1.0

--b
Content-Type: text/plain

The e-mail could not be delivered.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mail.example.net

Final-Recipient: rfc822; bob@example.org
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {status}
{more}
--b
Content-Type: text/rfc822-headers

Status: RO
Subject: Your turn
--b--
""".replace("\n", "\r\n").encode()


@pytest.fixture
def address(bob: User) -> str:
    """The envelope sender of e-mails to Bob."""
    return verp.sender(bob)


def is_reachable(bob: User) -> bool:
    bob.refresh_from_db()
    return not bob.unreached


@pytest.fixture
def sink(settings: Settings, smtp_sink: SmtpSink) -> SmtpSink:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp_sink.port
    return smtp_sink


def notifications_page(bob: User) -> str:
    browser = Client()
    browser.force_login(bob)
    return browser.get("/notifications/").content.decode()


def test_the_envelope_sender_names_the_reader_and_the_email_does_not(
    match: Match, bob: User, address: str
) -> None:
    match_helpers.play(match, "a4-a5")
    email = only(delivered(), bob)
    assert email.from_email == address and verp.read(address) == bob
    assert parsed(email)["From"] == "Estafette <post@localhost>"
    assert "b+" not in email.message().as_string()


def test_the_header_sender_is_used_as_the_envelope_sender(
    match: Match, bob: User, address: str, settings: Settings, smtp_sink: SmtpSink
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp_sink.port
    match_helpers.play(match, "a4-a5")
    delivered()
    assert address in smtp_sink.senders


def test_bounce_addresses_can_be_switched_off(bob: User, settings: Settings) -> None:
    settings.BOUNCES = False
    assert verp.sender(bob) == settings.DEFAULT_FROM_EMAIL


@pytest.mark.parametrize("status", ["5.1.1", "5.1.10", "5.1.2"])
def test_a_missing_mailbox_gets_no_more_emails(
    match: Match, bob: User, address: str, status: str
) -> None:
    assert receive_bounce(report(status), address) == "hard"
    assert not is_reachable(bob)
    match_helpers.play(match, "a4-a5")
    assert [email for email in delivered() if email.to == [bob.email]] == []
    browser = Client()
    browser.force_login(bob)
    assert "E-mails to you bounce" in browser.get("/").content.decode()
    # An earlier e-mail bounces for another reason.
    assert receive_bounce(report("5.2.2"), address) == "soft"
    assert "this mailbox does not exist" in browser.get("/notifications/").content.decode()


@pytest.mark.parametrize("status", ["4.2.2", "5.2.1", "5.2.2"])
def test_a_full_or_absent_mailbox_is_stopped_after_three_bounces_in_a_week(
    bob: User, address: str, status: str
) -> None:
    begin = now()
    for days, still in ((0, True), (3, True), (8, True), (9, True), (10, False)):
        with frozen_at(begin + days * DAY):
            assert receive_bounce(report(status), address) == "soft"
        assert is_reachable(bob) == still, days


def test_several_bounces_within_a_day_count_as_one(bob: User, address: str) -> None:
    """A mailbox that is full for some hours while many matches go on."""
    begin = now()
    for minutes in range(0, 1440, 90):
        with frozen_at(begin + timedelta(minutes=minutes)):
            assert receive_bounce(report("5.2.2"), address) == "soft"
    assert is_reachable(bob) and Mailbox.objects.get().bounces == 1


def test_a_delay_is_no_bounce(bob: User, address: str) -> None:
    assert receive_bounce(report("4.4.1", action="delayed"), address) == "delayed"
    assert not Mailbox.objects.exists()


def feedback(kind: str, headers: str = "List-Id: <match.localhost>") -> bytes:
    """A feedback report of a mailbox provider (RFC 5965), with the headers of the e-mail."""
    return f"""From: <fbl@example.net>
List-Id: <reports.example.net>
MIME-Version: 1.0
Content-Type: multipart/report; report-type=feedback-report; boundary="b"

--b
Content-Type: message/feedback-report

Feedback-Type: {kind}
Version: 1

--b
Content-Type: text/rfc822-headers

Subject: Your turn
{headers}
--b--
""".replace("\n", "\r\n").encode()


@pytest.mark.parametrize("kind", ["abuse", "Fraud"])
def test_a_complaint_stops_emails(bob: User, address: str, kind: str) -> None:
    assert receive_bounce(feedback(kind), address) == "complaint"
    assert not is_reachable(bob) and "reported as spam" in notifications_page(bob)


@pytest.mark.parametrize("kind", ["not-spam", "auth-failure", "virus", "other"])
def test_not_every_report_is_a_complaint(bob: User, address: str, kind: str) -> None:
    assert receive_bounce(feedback(kind), address) == "nothing"
    assert is_reachable(bob) and not Mailbox.objects.exists()


@pytest.mark.parametrize(
    ("headers", "stopped"),
    [
        ("List-Id: <match.localhost>", ["match"]),
        ("list-id: <reminder.localhost>", ["reminder"]),
        ("X-List: none", ["match", "reminder"]),
    ],
)
def test_unsubscribing_from_a_list_stops_it(
    bob: User, address: str, headers: str, stopped: list[str]
) -> None:
    assert receive_bounce(feedback("opt-out", headers), address) == "opt-out"
    assert is_reachable(bob) and not Mailbox.objects.exists()
    assert bob.match_emails == ("match" not in stopped)
    assert bob.reminder_emails == ("reminder" not in stopped)


AWAY = """From: Bob <bob@example.org>
Return-Path: <>
Subject: Out of office: Your turn
{}
Content-Type: text/plain

I am away until Monday.

From: MAILER-DAEMON is what I never answer.
"""


@pytest.mark.parametrize("says", ["Auto-Submitted: auto-replied", "Auto-Submitted: auto-generated"])
def test_an_absence_of_a_week_does_not_stop_emails(bob: User, address: str, says: str) -> None:
    reply = AWAY.format(says).encode()
    assert [receive_bounce(reply, address) for _ in range(3)] == ["nothing"] * 3
    assert is_reachable(bob) and not Mailbox.objects.exists()


@pytest.mark.parametrize(
    "head",
    [
        "From: MAILER-DAEMON@example.net",
        "From: Mail Delivery Subsystem\r\n <Mailer-Daemon@example.net>",
        "From: The post <postmaster@example.net>\r\nAuto-Submitted: auto-generated",
        "From: Exim\r\nAuto-Submitted: auto-replied\r\nX-Failed-Recipients: bob@example.org",
    ],
)
def test_a_bounce_in_prose_is_recognized(bob: User, address: str, head: str) -> None:
    prose = f"{head}\r\nSubject: Failure notice\r\n\r\nHi. This is the mail program.\r\n"
    assert receive_bounce(prose.encode(), address) == "soft"


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("550 5.1.1 <bob@example.org>: User unknown", "hard"),
        ("550 No such user", "soft"),
        ("552-5.2.2 The inbox is out of storage space.\r\n552 5.2.2 Go away.", "soft"),
        ("550-5.7.26 The sender is\r\n550 5.7.26 unauthenticated.", "ours"),
        ("550 relay not permitted", "ours"),
        ("554 Transaction failed", "ours"),
    ],
)
def test_prose_that_quotes_a_mail_server_is_judged_by_the_quotation(
    bob: User, address: str, words: str, verdict: str
) -> None:
    head = "From: MAILER-DAEMON@example.net\r\nSubject: Failure notice"
    prose = f"{head}\r\n\r\nHi.\r\n\r\n<bob@example.org>:\r\nRemote host said: {words}\r\n\r\nBye."
    assert receive_bounce(prose.encode(), address) == verdict
    assert is_reachable(bob) == (verdict != "hard")


def test_an_automatic_reply_is_no_bounce(address: str) -> None:
    late = b"From: Mailer-Daemon@example.net\nAuto-Submitted: auto-replied\n\nStill trying.\n"
    assert receive_bounce(late, address) == "nothing"


@pytest.mark.parametrize("status", ["5.1.8", "5.7.1", "5.7.26", "4.4.7"])
def test_a_fault_of_ours_is_not_counted_against_a_mailbox(
    bob: User, address: str, status: str
) -> None:
    for _ in range(4):
        assert receive_bounce(report(status), address) == "ours"
    assert is_reachable(bob) and "Last bounce" not in notifications_page(bob)


def test_an_unspecific_status_is_judged_by_its_words(bob: User, address: str) -> None:
    bounce = report("5.0.0").decode().replace("smtp; 5.0.0", "smtp;\r\n 550-5.7.1 blocked")
    assert receive_bounce(bounce.encode(), address) == "ours"
    bounce = report("5.0.0").decode().replace("smtp; 5.0.0", "smtp; 550 5.1.1\r\n no such user")
    assert receive_bounce(bounce.encode(), address) == "hard"


def test_a_forged_address_is_ignored(bob: User, address: str) -> None:
    local, _at, domain = address.partition("@")
    forged = [f"{local[:-1]}x@{domain}", f"b+{bob.pk}@{domain}", f"post@{domain}", "", "@"]
    forged.append(f"b+{bob.pk}.{'0' * 26}@{domain}")
    for wrong in forged:
        assert receive_bounce(report("5.1.1"), wrong) == "unknown"
    assert is_reachable(bob)


def test_an_envelope_address_in_upper_case_is_accepted(bob: User, address: str) -> None:
    assert receive_bounce(report("5.1.1"), f"<{address.upper()}>") == "hard"


def test_bounces_of_an_old_address_are_not_counted_against_the_new_one(
    bob: User, address: str
) -> None:
    User.objects.filter(pk=bob.pk).update(email="new@example.org")
    assert receive_bounce(report("5.1.1"), address) == "unknown"


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"\x00" * 5000,
        b"Status: " * 40_000,
        b"From: " + b'"' * 60_000,
        b"Content-Type: multipart/x; boundary=a\r\n" + b"--a\r\n" * 50_000,
    ],
)
def test_other_messages_are_ignored(bob: User, address: str, raw: bytes) -> None:
    assert receive_bounce(raw, address) == "nothing"
    assert not Mailbox.objects.exists()


def test_a_test_email_resumes_emails(match: Match, bob: User, address: str) -> None:
    receive_bounce(report("5.1.1"), address)
    browser = Client()
    browser.force_login(bob)
    browser.post("/notifications/try/email/")
    assert [email.subject for email in delivered()] == ["Test e-mail"]
    assert is_reachable(bob)
    match_helpers.play(match, "a4-a5")
    assert len(delivered()) == 1


def test_an_address_refused_at_rcpt_counts_as_a_bounce(
    match: Match, bob: User, settings: Settings, smtp_sink: SmtpSink
) -> None:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp_sink.port
    smtp_sink.mood = "refuse"
    match_helpers.play(match, "a4-a5")
    delivered()
    assert not is_reachable(bob) and Dispatch.objects.get(event="turn-came", user=bob).dead_at


def test_an_address_refused_at_data_counts_as_a_bounce(
    match: Match, bob: User, sink: SmtpSink
) -> None:
    sink.answer = "550 5.1.1 <bob@example.org>: no such user"
    match_helpers.play(match, "a4-a5")
    delivered()
    assert not is_reachable(bob) and Dispatch.objects.get(event="turn-came", user=bob).dead_at
    assert "E-mails to you bounce" in notifications_page(
        bob
    ) and "this mailbox does not exist" in notifications_page(bob)


@pytest.mark.parametrize(
    "answer",
    tiers.parameters(
        ("552 5.2.2 Over quota", "550 5.2.1 Disabled", "552 Full"), fast=("552 Full",)
    ),
)
def test_an_email_refused_by_the_mailbox_counts_as_a_bounce(
    who: People, bob: User, sink: SmtpSink, answer: str
) -> None:
    sink.answer, begin = answer, now()
    for number in range(1, 4):
        with frozen_at(begin + number * DAY):
            match_helpers.running_match(who, "a4-a5")
            delivered()
        assert Mailbox.objects.get(user=bob).bounces == number
        assert "Last bounce:" in notifications_page(bob)
        assert is_reachable(bob) == ("several times" not in notifications_page(bob)) == (number < 3)


def test_a_busy_server_is_no_bounce(match: Match, bob: User, sink: SmtpSink) -> None:
    sink.answer = "451 4.3.0 Try again later"
    match_helpers.play(match, "a4-a5")
    delivered()
    assert not Mailbox.objects.filter(bounces__gt=0).exists()


def test_the_page_shows_when_the_last_email_was_sent(match: Match, bob: User) -> None:
    match_helpers.play(match, "a4-a5")
    delivered()
    assert Mailbox.objects.get(user=bob).sent_at
    browser = Client()
    browser.force_login(bob)
    assert "Last sent:" in browser.get("/notifications/").content.decode()


def test_a_mail_server_delivers_bounces_through_a_pipe(
    bob: User, address: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    email = tmp_path / "email"
    email.write_bytes(report("5.1.1") + b"x" * 900_000)
    with email.open() as pipe:
        monkeypatch.setattr(sys, "stdin", pipe)
        call_command("receive_mail", "--recipient", address)
    assert is_reachable(bob)
    worker.process_waiting()
    assert not is_reachable(bob)
    assert IncomingMessage.objects.get().why == "bounce: hard"


def test_a_batch_of_emails_is_recorded_by_one_statement(
    match: Match, bob: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    tally = Tally()
    for reader in User.objects.all():
        tally.add(reader)
    with frozen_at(now()), django_assert_num_queries(1):
        tally.close()
    assert Mailbox.objects.count() == 3


def test_a_new_address_gets_emails_again(bob: User, address: str) -> None:
    receive_bounce(report("5.1.1"), address)
    email_changed.send(sender=User, request=None, user=bob)
    assert is_reachable(bob)
