"""Account e-mails: headers, retries while the mail server is down, and limits by address."""

import smtplib
import time
from contextlib import AbstractContextManager
from datetime import timedelta
from unittest.mock import patch

import pytest
import time_machine
from django.core import mail
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from pytest_django import Settings

from accounts import ports
from accounts.models import User
from accounts.sign_in.adapter import mailbox_of
from config.personal_data import retention
from games.notifications.email.account_emails import keep_and_send
from games.notifications.models import AccountEmail
from games.outbox import publishing
from games.outbox.delivery import dispatcher
from games.outbox.models import PENDING, Dispatch
from lib.db_clock import now
from tests.accounts.conftest import PASSWORD, code_in, is_in, sign_in, sign_up
from tests.floors import at_least
from tests.notifications.email.reading import sent_emails
from tests.ports import connected


@pytest.fixture
def dead_server() -> AbstractContextManager[object]:
    """While the block runs, no e-mail can be sent."""

    def close(*_: object) -> None:
        raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")

    return patch("django.core.mail.backends.locmem.EmailBackend.send_messages", close)


def test_auto_responders_do_not_answer_account_emails(visitor: Client) -> None:
    sign_up(visitor, "Murat", "murat@example.org")
    headers = mail.outbox[-1].message()
    assert headers["Auto-Submitted"] == "auto-generated"
    assert headers["X-Auto-Response-Suppress"] == "All"


def test_they_are_plain_text_and_link_to_the_sites_own_address(
    visitor: Client, settings: Settings
) -> None:
    settings.SITE_URL = "https://estafette.example"
    visitor.post("/account/login/code/", {"email": "nobody@example.org"})
    [message] = sent_emails()
    assert message.alternatives == []
    assert "https://estafette.example/account/signup/" in message.body
    assert "testserver" not in message.body


def test_their_subjects_contain_no_code_and_no_address(visitor: Client, ann: User) -> None:
    sign_up(Client(), "Murat", "murat@example.org")
    visitor.post("/account/login/code/", {"email": "ann@example.org"})
    visitor.post("/account/password/reset/", {"email": "ann@example.org"})
    for message in at_least(3, mail.outbox):
        assert code_in(message) not in message.subject
        assert "@" not in message.subject
        assert "&" not in message.body


def deliver_again() -> None:
    """The mail server is up again, and the e-mails that waited for it are due."""
    Dispatch.objects.filter(PENDING).update(not_before=now())
    dispatcher.drain()


def test_a_mail_server_that_is_down_loses_no_email(
    visitor: Client, dead_server: AbstractContextManager[object]
) -> None:
    with dead_server:
        answer = sign_up(visitor, "Murat", "murat@example.org")
    assert answer.url == "/account/confirm-email/" and mail.outbox == []
    deliver_again()
    visitor.post("/account/confirm-email/", {"code": code_in()})
    assert is_in(visitor)


def test_an_expired_code_is_not_sent_any_more(
    visitor: Client, ann: User, dead_server: AbstractContextManager[object]
) -> None:
    with dead_server:
        sign_up(Client(), "Murat", "murat@example.org")
        sign_in(visitor, "Annabel")
        form = {"oldpassword": PASSWORD, "password1": "herd of hogs", "password2": "herd of hogs"}
        visitor.post("/account/password/change/", form)
    AccountEmail.objects.update(written_at=now() - timedelta(minutes=11))
    deliver_again()
    # A notice about an account is still useful later.
    assert [message.to for message in mail.outbox] == [["ann@example.org"]]
    assert not AccountEmail.objects.exists()


def test_a_dead_mail_server_reveals_no_known_address(
    ann: User, dead_server: AbstractContextManager[object]
) -> None:
    pages = []
    for handle, email in (("Murat", "ann@example.org"), ("Desaix", "ann@example.net")):
        client = Client()
        with dead_server:
            answer = sign_up(client, handle, email)
        page = client.get(answer.url)
        pages.append((answer.status_code, len(page.content) - len(email)))
    assert pages[0] == pages[1]


def test_pages_do_not_wait_for_the_mail_server(visitor: Client, ann: User) -> None:
    """However it stalls: the page is answered before anything is sent."""
    with connected(ports.send_email, keep_and_send):
        sign_up(visitor, "Murat", "murat@example.org")
        Client().post("/account/login/code/", {"email": "ann@example.org"})
        Client().post("/account/password/reset/", {"email": "nobody@example.org"})
    assert mail.outbox == [] and AccountEmail.objects.count() == 3
    dispatcher.drain()
    assert len(mail.outbox) == 3


def test_account_emails_are_sent_before_notifications(visitor: Client, ann: User) -> None:
    with transaction.atomic():
        for number in range(150):
            publishing.enqueue("trial-email", "trial", user=ann, number=number)
    with connected(ports.send_email, keep_and_send):
        sign_up(visitor, "Murat", "murat@example.org")
    dispatcher.drain()
    assert mail.outbox[0].to == ["murat@example.org"] and len(mail.outbox) == 151


def test_neither_the_log_nor_a_dump_shows_a_code_or_an_address(
    visitor: Client, dead_server: AbstractContextManager[object], caplog: pytest.LogCaptureFixture
) -> None:
    with dead_server:
        sign_up(visitor, "Murat", "murat@example.org")
    kept = AccountEmail.objects.get()
    assert "confirm" not in kept.sealed and "murat" not in caplog.text
    assert "murat" not in str(Dispatch.objects.latest("pk").__dict__)
    deliver_again()
    assert not AccountEmail.objects.exists()


def test_nothing_is_stored_about_a_missing_mailbox(visitor: Client) -> None:
    refused = smtplib.SMTPRecipientsRefused({"murat@example.org": (550, b"5.1.1 unknown")})
    with patch("django.core.mail.backends.locmem.EmailBackend.send_messages", side_effect=refused):
        sign_up(visitor, "Murat", "murat@example.org")
    assert not AccountEmail.objects.exists()
    assert Dispatch.objects.latest("pk").dead_at


def test_unsent_emails_are_deleted_after_three_days(
    visitor: Client, dead_server: AbstractContextManager[object]
) -> None:
    with dead_server:
        sign_up(visitor, "Murat", "murat@example.org")
    AccountEmail.objects.update(written_at=now() - timedelta(days=3, minutes=1))
    retention.clean_up()
    assert not AccountEmail.objects.exists()


def test_one_address_gets_at_most_ten_an_hour_from_all_sources(ann: User) -> None:
    statuses = []
    for number in range(12):
        visitor = Client(REMOTE_ADDR=f"203.0.113.{number}")
        paths = ("/account/password/reset/", "/account/login/code/")
        with time_machine.travel(time.time() + 61 * number, tick=True):
            answer = visitor.post(paths[number % 2], {"email": "ann@example.org"})
        statuses.append(answer.status_code)
    assert len(mail.outbox) <= 10 and 429 in statuses


def test_spellings_of_one_mailbox_have_one_count(db: None) -> None:
    spellings = [
        "an.n@example.org",
        "ANN@example.org",
        *(f"ann+{n}@Example.org" for n in range(12)),
    ]
    for number, spelling in enumerate(spellings):
        from_elsewhere = Client(REMOTE_ADDR=f"10.1.{number}.1")
        from_elsewhere.post("/account/password/reset/", {"email": spelling})
    assert len(mail.outbox) == 10
    assert mailbox_of("+a@example.org") == "@example.org" and mailbox_of("nonsense") == "@nonsense"


def test_one_source_reaches_at_most_twenty_addresses_an_hour(db: None) -> None:
    statuses = []
    for number in range(24):
        with time_machine.travel(time.time() + 61 * number, tick=True):
            answer = Client().post("/account/login/code/", {"email": f"n{number}@example.org"})
        statuses.append(answer.status_code)
    assert len(mail.outbox) == 20 and statuses[-4:] == [429] * 4


def test_known_and_unknown_addresses_are_limited_alike(ann: User) -> None:
    """Otherwise the limit would distinguish them."""
    counts = []
    for email in ("ann@example.org", "nobody@example.org"):
        cache.clear()
        answers = []
        for number in range(12):
            visitor = Client(REMOTE_ADDR=f"203.0.113.{number}")
            with time_machine.travel(time.time() + 121 * number, tick=True):
                answers.append(visitor.post("/account/password/reset/", {"email": email}))
        counts.append([answer.status_code for answer in answers])
    assert counts[0] == counts[1]
