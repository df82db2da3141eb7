"""IMAP polling, with Debian's Dovecot."""

import io
from collections.abc import Iterator

import pytest
from django.core.management import CommandError, call_command
from imap_tools import MailBoxUnencrypted
from pytest_django import Settings

from accounts.models import User
from games.mail import intake, tasks
from games.mail.answering import worker
from games.mail.inbound import imap_polling
from games.mail.inbound.imap_polling import Fetched
from games.mail.models import IncomingMessage
from games.play.models.match import Match
from tests.mail import post
from tests.mail.dovecot import Dovecot
from tests.play import match_helpers
from tests.servers import free_port

pytestmark = pytest.mark.servers

RECEIVED = "Received: from there by here; Sun, 22 Nov 2026 10:00:00 +0000\n"


@pytest.fixture(scope="module")
def server() -> Iterator[Dovecot]:
    with Dovecot() as running:
        yield running


@pytest.fixture
def dovecot(server: Dovecot, settings: Settings) -> Dovecot:
    settings.MAIL_IMAP = server.url
    settings.MAIL_IMAP_HEADER = "Delivered-To"
    with MailBoxUnencrypted("127.0.0.1", server.port).login("post", "secret") as mailbox:
        mailbox.delete(mailbox.uids())
    return server


@pytest.fixture
def address(match: Match, alice: User) -> str:
    match_helpers.play(match, "a4-a5", "j7-j6")
    return post.reply_to(post.email(alice))


def message(head: str, text: str = "b4-b5") -> bytes:
    return head.encode() + post.written("alice@example.org", text)


def test_unseen_messages_are_stored_once(dovecot: Dovecot, address: str) -> None:
    dovecot.deliver(
        message(f"Return-Path: <alice@example.org>\nDelivered-To: {address}\n{RECEIVED}")
    )
    assert imap_polling.fetch() == Fetched(1, 0)
    assert imap_polling.fetch() == Fetched(0, 0)
    row = IncomingMessage.objects.get()
    # INTERNALDATE has whole seconds.
    assert row.arrived_at < row.taken_at and row.arrived_at.microsecond == 0
    assert row.way_in == "imap"


def test_a_forged_result_is_not_accepted(
    dovecot: Dovecot, address: str, match: Match, settings: Settings
) -> None:
    settings.MAIL_AUTHSERV_ID = "mx.example.org"
    ply = match_helpers.as_is(match).ply
    forged = "Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\n"
    for head in (
        f"Delivered-To: {address}\n{forged}",
        f"Delivered-To: {address}\n{RECEIVED}{forged}",
    ):
        dovecot.deliver(message(head))
        assert imap_polling.fetch() == Fetched(1, 0)
        worker.process_waiting()
        assert post.last().outcome == "confirm"
    assert match_helpers.as_is(match).ply == ply


def test_the_tls_certificate_is_verified(
    dovecot: Dovecot, address: str, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAIL_IMAP = dovecot.tls_url
    dovecot.deliver(
        message(f"Return-Path: <alice@example.org>\nDelivered-To: {address}\n{RECEIVED}")
    )
    with pytest.raises(imap_polling.ImapUnavailable, match="SSLCertVerificationError"):
        imap_polling.fetch()
    monkeypatch.setenv("SSL_CERT_FILE", str(dovecot.certificate))
    assert imap_polling.fetch() == Fetched(1, 0)


def test_a_restored_copy_does_not_poll(
    dovecot: Dovecot,
    address: str,
    settings: Settings,
) -> None:
    dovecot.deliver(message(f"Delivered-To: {address}\n{RECEIVED}"))
    settings.HOLD_EMAILS = True
    tasks.fetch_mail()
    assert not IncomingMessage.objects.exists()
    settings.HOLD_EMAILS = False
    tasks.fetch_mail()
    assert IncomingMessage.objects.count() == 1


@pytest.mark.parametrize(
    "head",
    [RECEIVED + "Delivered-To: {}\n", "To: {}\n" + RECEIVED, "X-Original-To: {}\n" + RECEIVED],
    ids=["beneath the Received", "in To", "in another header"],
)
def test_only_the_topmost_header_names_the_recipient(
    dovecot: Dovecot, address: str, head: str
) -> None:
    dovecot.deliver(message(head.format(address)))
    assert imap_polling.fetch() == Fetched(0, 1)
    assert not IncomingMessage.objects.exists()
    with MailBoxUnencrypted("127.0.0.1", dovecot.port).login("post", "secret") as mailbox:
        assert len(mailbox.uids("FLAGGED")) == 1


def test_the_null_sender_means_automatic_mail(dovecot: Dovecot, address: str) -> None:
    dovecot.deliver(message(f"Return-Path: <>\nDelivered-To: {address}\n{RECEIVED}"))
    imap_polling.fetch()
    worker.process_waiting()
    assert post.last().outcome == "none"


def test_a_large_message_is_flagged(dovecot: Dovecot, address: str, settings: Settings) -> None:
    settings.MAIL_MAX_BYTES = 1_000
    dovecot.deliver(message(f"Delivered-To: {address}\n{RECEIVED}", "x\n" * 1_000))
    assert imap_polling.fetch() == Fetched(0, 1)


def test_a_message_that_was_not_stored_is_retried(
    dovecot: Dovecot, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError("disk full")

    dovecot.deliver(message(f"Delivered-To: {address}\n{RECEIVED}"))
    with monkeypatch.context() as patched:
        patched.setattr(intake, "store_message", fail)
        assert imap_polling.fetch() == Fetched(0, 0)
    output = io.StringIO()
    call_command("fetch_mail", stdout=output)
    assert output.getvalue() == "1 taken in; 0 not ours, flagged.\n"


def test_an_unavailable_mailbox_is_reported(settings: Settings) -> None:
    settings.MAIL_IMAP = f"imap://post:secret@127.0.0.1:{free_port()}/INBOX"
    with pytest.raises(CommandError, match="ConnectionRefusedError"):
        call_command("fetch_mail")
