"""Faults of our own settings: e-mails wait, and a sentence names the setting but no secret."""

import smtplib
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import timedelta
from io import StringIO
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.smtp import AuthResult
from django.core.management import call_command
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from config.watch import checks, measurements
from games.notifications.email.sending import server_faults
from games.notifications.email.sending.server_faults import ServerFault
from games.notifications.models import AccountEmail, Mailbox
from games.outbox import publishing
from games.outbox.delivery import dispatcher
from games.outbox.models import PENDING, Dispatch
from lib.db_clock import frozen_at, now
from tests import tiers
from tests.mail.dns_server import dns_server
from tests.notifications.receiver import certificate
from tests.servers import SmtpSink, free_port

pytestmark = pytest.mark.django_db

HOUR = timedelta(hours=1)
USER, PASSWORD = "post-office", "sésame-öffne-dich"


@contextmanager
def running_mail_server(settings: Any, **options: Any) -> Iterator[SmtpSink]:
    """A mail server that our settings name, with these options of aiosmtpd."""
    sink = SmtpSink(**options)
    sink.start()
    settings.EMAIL_PORT = sink.port
    try:
        yield sink
    finally:
        sink.stop()


@contextmanager
def server_with_greeting(settings: Any, greeting: bytes) -> Iterator[None]:
    """Something that is not a mail server of ours, and sends this greeting to every client."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        settings.EMAIL_PORT = server.getsockname()[1]
        server.settimeout(0.1)
        stopped = False

        def greet() -> None:
            while not stopped:
                with_it = None
                try:
                    with_it, _address = server.accept()
                    with_it.sendall(greeting)
                    with_it.recv(1000)
                except OSError:
                    pass
                finally:
                    if with_it is not None:
                        with_it.close()

        thread = threading.Thread(target=greet, daemon=True)
        thread.start()
        try:
            yield
        finally:
            stopped = True
            thread.join()


def login(*, accepted: bool) -> dict[str, Any]:
    return {
        "auth_require_tls": False,
        "authenticator": lambda *_: AuthResult(success=accepted, handled=False),
    }


def tls(folder: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate(folder))
    return context


def password(settings: Any, folder: Path) -> Any:
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = USER, PASSWORD
    return running_mail_server(settings, **login(accepted=True))


def wrong_password(settings: Any, folder: Path) -> Any:
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = USER, "open sesame"
    return running_mail_server(settings, **login(accepted=False))


def no_login(settings: Any, folder: Path) -> Any:
    settings.EMAIL_HOST_USER, settings.EMAIL_HOST_PASSWORD = USER, "open sesame"
    return running_mail_server(settings)


@contextmanager
def login_needed(settings: Any, folder: Path) -> Iterator[None]:
    with running_mail_server(settings) as sink:
        sink.to_mail = "530 5.7.0 Authentication required"
        yield


def bad_certificate(settings: Any, folder: Path) -> Any:
    settings.EMAIL_USE_TLS = True
    return running_mail_server(settings, tls_context=tls(folder))


def no_starttls(settings: Any, folder: Path) -> Any:
    settings.EMAIL_USE_TLS = True
    return running_mail_server(settings)


def no_tls(settings: Any, folder: Path) -> Any:
    settings.EMAIL_USE_SSL = True
    return running_mail_server(settings)


def empty_label(settings: Any, folder: Path) -> Any:
    settings.EMAIL_HOST = "mail..example.org"
    return running_mail_server(settings)


def no_mail_server(settings: Any, folder: Path) -> Any:
    return server_with_greeting(settings, b"* OK IMAP4rev1 ready\r\n")


def greeted_with_a_refusal(settings: Any, folder: Path) -> Any:
    return server_with_greeting(settings, b"554 IP address is block listed\r\n")


@contextmanager
def sender_refused(settings: Any, folder: Path) -> Iterator[None]:
    with running_mail_server(settings) as sink:
        sink.to_mail = "553 5.7.1 <post@localhost>: not owned by you"
        yield


def sender_of_other_emails(settings: Any, folder: Path) -> Any:
    settings.DEFAULT_FROM_EMAIL = "Estafette <pöst@play.example>"
    return running_mail_server(settings)


def domain_with_an_empty_label(settings: Any, folder: Path) -> Any:
    settings.MAIL_DOMAIN = "play..example"
    return running_mail_server(settings)


Cause = Callable[[Any, Path], Any]
CAUSES: dict[Cause, tuple[ServerFault, str]] = {
    password: (ServerFault.CREDENTIALS, "EMAIL_URL: user or password contains a character"),
    wrong_password: (ServerFault.LOGIN, "EMAIL_URL: the mail server rejects user or password."),
    no_login: (ServerFault.NO_LOGIN, "Start it with smtp+tls://"),
    login_needed: (ServerFault.LOGIN_NEEDED, "Add user and password"),
    bad_certificate: (ServerFault.CERTIFICATE, "the certificate of the mail server"),
    no_starttls: (ServerFault.NO_STARTTLS, "does not offer STARTTLS"),
    no_tls: (ServerFault.NO_TLS, "does not speak TLS at this port"),
    empty_label: (ServerFault.HOST, "there is no host with this name"),
    no_mail_server: (ServerFault.NO_SERVER, "is not a mail server"),
    greeted_with_a_refusal: (ServerFault.GREETING, "refuses the connection"),
    sender_refused: (ServerFault.SENDER, "BOUNCES=false"),
    sender_of_other_emails: (ServerFault.SENDER_CHARACTERS, "DEFAULT_FROM_EMAIL or MAIL_DOMAIN"),
    domain_with_an_empty_label: (ServerFault.SENDER_CHARACTERS, "Use ASCII before the @"),
}


@pytest.fixture
def smtp(settings: Settings) -> Iterator[Any]:
    """The settings of a mail server, and a DNS server that knows no name."""
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_TIMEOUT = "127.0.0.1", 5
    with dns_server() as zone:
        settings.MAIL_DNS = ("127.0.0.1", zone.port)
        yield settings


def post(reader: User) -> None:
    with transaction.atomic():
        publishing.enqueue("trial-email", "trial", user=reader, number=1)


def mail_server_warning() -> str:
    (warning,) = [one for one in checks.check(measurements.measure()) if one.name == "mail server"]
    return f"{warning.shown} {warning.problem} {warning.advice}" if warning.problem else ""


def check_mail() -> str:
    output = StringIO()
    with pytest.raises(SystemExit):
        call_command("check_mail", "--wait", "0", stdout=output)
    return output.getvalue()


# One is retried for long; with the others it would be the same.
FAST_CAUSES = [(cause, 14 if cause is wrong_password else 2) for cause in CAUSES]


@pytest.mark.parametrize(
    ("cause", "attempts"),
    tiers.parameters(dict.fromkeys([*FAST_CAUSES, *product(CAUSES, [14])]), FAST_CAUSES),
    ids=lambda value: getattr(value, "__name__", None),
)
def test_an_email_waits_and_a_sentence_names_the_setting(
    cause: Cause,
    attempts: int,
    smtp: Any,
    bob: User,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
) -> None:
    fault, sentence = CAUSES[cause]
    post(bob)
    instant = now()
    with cause(smtp, tmp_path):
        for attempt in range(attempts):
            with frozen_at(instant + attempt * HOUR):
                dispatcher.drain()
        check_result, checked = mail_server_warning(), check_mail()
    row = Dispatch.objects.get()
    assert row.error == f"ServiceUnavailable ({fault})" and row.attempts == attempts
    assert not row.dead_at
    assert row.not_before - instant < (attempts - 1) * HOUR + timedelta(seconds=37)
    assert sentence in check_result and "1 message is waiting" in check_result
    assert sentence in checked and "WRONG  Loop: " in checked
    for text in (check_result, checked, caplog.text, str(row.__dict__)):
        for secret in (USER, PASSWORD, "sesame", "ö", "é", "not owned", "block listed\r"):
            assert secret not in text
    assert not Mailbox.objects.exists() and not User.objects.get(pk=bob.pk).unreached


def test_a_fault_is_reported_within_ten_minutes_until_it_is_corrected(
    smtp: Any, bob: User, tmp_path: Path
) -> None:
    post(bob)
    with wrong_password(smtp, tmp_path):
        dispatcher.drain()
    assert "log-in refused" in mail_server_warning()
    smtp.EMAIL_HOST_USER = ""
    with running_mail_server(smtp) as sink, frozen_at(now() + timedelta(minutes=1)):
        dispatcher.drain()
    assert len(sink.taken) == 1 and not mail_server_warning()


def test_an_unreachable_server_is_reported_after_ten_minutes_and_by_check_mail_at_once(
    smtp: Any, bob: User
) -> None:
    smtp.EMAIL_PORT = free_port()
    post(bob)
    dispatcher.drain()
    assert not mail_server_warning()
    assert "no mail server answers at this host and port" in check_mail()
    Dispatch.objects.update(attempts=20)
    assert "has been retried for ten minutes; the server accepts nothing" in mail_server_warning()


def test_a_sign_in_code_waits_too(smtp: Any, bob: User, tmp_path: Path) -> None:
    Client().post("/account/password/reset/", {"email": bob.email})
    with password(smtp, tmp_path):
        dispatcher.drain()
    row = Dispatch.objects.get(PENDING, handler="account-email")
    assert row.error == f"ServiceUnavailable ({ServerFault.CREDENTIALS})"
    assert AccountEmail.objects.exists()


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("550 5.1.1 No such user", "refuses post@localhost as a mailbox (5.1.1)"),
        ("550 5.7.1 Relaying denied", "for a reason that lies with us (5.7.1)"),
        ("451 4.3.0 Later", "SMTPRecipientsRefused 451"),
    ],
)
def test_check_mail_says_why_its_own_email_was_refused(
    smtp: Any, answer: str, sentence: str
) -> None:
    with running_mail_server(smtp) as sink:
        sink.to_rcpt = answer
        output = check_mail()
    assert sentence in output and "Relaying" not in output and "No such user" not in output


def test_check_mail_sends_the_way_emails_to_players_are_sent(smtp: Any) -> None:
    with running_mail_server(smtp) as sink:
        check_mail()
        assert sink.senders == [f"b+0.{'0' * 26}@localhost"]
        smtp.BOUNCES = False
        check_mail()
        assert sink.senders[1:] == ["post@localhost"]
    assert b"From: Estafette <post@localhost>" in sink.taken[0]


def test_every_fault_has_a_sentence() -> None:
    assert server_faults.SENTENCES.keys() == set(ServerFault)
    for fault in ServerFault:
        assert server_faults.sentence(fault).endswith(".")
    assert server_faults.sentence("ConnectionRefusedError") and not server_faults.sentence("x")


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (smtplib.SMTPAuthenticationError(454, b"later"), "SMTPAuthenticationError"),
        (smtplib.SMTPAuthenticationError(530, b"TLS first"), ServerFault.NO_LOGIN),
        (smtplib.SMTPAuthenticationError(535, b"no"), ServerFault.LOGIN),
        (smtplib.SMTPConnectError(421, b"busy"), "SMTPConnectError"),
        (smtplib.SMTPHeloError(550, b"no"), ServerFault.GREETING),
        (smtplib.SMTPResponseException(454, b"TLS not available"), "SMTPResponseException"),
        (smtplib.SMTPResponseException(502, b"no TLS"), ServerFault.NO_STARTTLS),
        (smtplib.SMTPException("No suitable authentication method found."), ServerFault.NO_LOGIN),
        (smtplib.SMTPServerDisconnected("gone"), "SMTPServerDisconnected"),
        (socket.gaierror(socket.EAI_AGAIN, "later"), "gaierror"),
        (socket.gaierror(socket.EAI_NONAME, "none"), ServerFault.HOST),
        (TimeoutError(), "TimeoutError"),
    ],
)
def test_temporary_faults_are_not_reported_as_settings(error: Exception, kind: str) -> None:
    assert server_faults.classify(error) == kind
