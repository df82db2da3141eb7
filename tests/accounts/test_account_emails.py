import smtplib
import time
from unittest.mock import patch

import pytest
import time_machine
from django.core import mail
from django.test import Client

from accounts import unsubscribe
from accounts.models import User
from tests.accounts.conftest import PASSWORD, code_in, is_in, sign_in, sign_up


@pytest.fixture
def dead_server():
    """While the block runs, no e-mail can be sent."""

    def close(self, messages):
        raise smtplib.SMTPServerDisconnected("Connection unexpectedly closed")

    return patch("django.core.mail.backends.locmem.EmailBackend.send_messages", close)


def test_no_machine_answers_them(visitor):
    sign_up(visitor, "Murat", "murat@example.org")
    headers = mail.outbox[-1].message()
    assert headers["Auto-Submitted"] == "auto-generated"
    assert headers["X-Auto-Response-Suppress"] == "All"


def test_they_are_plain_text_and_lead_to_the_sites_own_address(visitor, settings):
    settings.SITE_URL = "https://estafette.example"
    visitor.post("/account/login/code/", {"email": "nobody@example.org"})
    [message] = mail.outbox
    assert message.alternatives == []
    assert "https://estafette.example/account/signup/" in message.body
    assert "testserver" not in message.body


def test_their_subjects_hold_no_code_and_no_address(visitor, ann):
    sign_up(visitor, "Murat", "murat@example.org")
    visitor.post("/account/login/code/", {"email": "ann@example.org"})
    visitor.post("/account/password/reset/", {"email": "ann@example.org"})
    for message in mail.outbox:
        assert code_in(message) not in message.subject
        assert "@" not in message.subject
        assert "&" not in message.body


def test_an_email_that_cannot_be_sent_loses_nothing(visitor, dead_server):
    with dead_server:
        answer = sign_up(visitor, "Murat", "murat@example.org")
    assert answer.url == "/account/confirm-email/"
    page = visitor.get(answer.url).content.decode()
    assert "The e-mail to murat@example.org could not be sent just now." in page
    assert mail.outbox == []

    with time_machine.travel(time.time() + 60, tick=True):
        visitor.post("/account/confirm-email/", {"action": "resend"})
        visitor.post("/account/confirm-email/", {"code": code_in()})
    assert is_in(visitor)
    assert User.objects.get().username == "Murat"


def test_a_dead_server_tells_nobody_whose_address_is_known(ann, dead_server):
    pages = []
    for handle, email in (("Murat", "ann@example.org"), ("Desaix", "bob@example.org")):
        client = Client()
        with dead_server:
            answer = sign_up(client, handle, email)
        pages.append(client.get(answer.url).content.decode().count("could not be sent"))
    assert pages == [1, 1]


def test_a_change_is_made_even_if_the_email_about_it_fails(client, ann, dead_server):
    sign_in(client, "Annabel")
    form = {"oldpassword": PASSWORD, "password1": "herd of horses", "password2": "herd of horses"}
    with dead_server:
        page = client.post("/account/password/change/", form, follow=True).content.decode()
    assert "the e-mail about it could not be sent" in page
    ann.refresh_from_db()
    assert ann.check_password("herd of horses")


def test_the_log_keeps_no_address(visitor, dead_server, caplog):
    with dead_server:
        sign_up(visitor, "Murat", "murat@example.org")
    assert "could not be sent" in caplog.text
    assert "murat@" not in caplog.text


def test_a_link_stops_emails_of_one_kind_without_signing_in(ann):
    path = unsubscribe.stop_path(ann, "reminder")
    stranger = Client(enforce_csrf_checks=True)
    assert "Unsubscribe from these e-mails?" in stranger.get(path).content.decode()
    ann.refresh_from_db()
    assert ann.reminder_letters

    for _ in range(2):
        answer = stranger.post(path, {"List-Unsubscribe": "One-Click"})
        assert answer.status_code == 200
    ann.refresh_from_db()
    assert (ann.match_letters, ann.reminder_letters) == (True, False)


def test_a_forged_link_stops_nothing(client, ann):
    path = unsubscribe.stop_path(ann, "match")
    for forged in (path[:-2] + "x/", "/people/unsubscribe/nonsense/", path.replace(":", ";")):
        assert client.post(forged).status_code == 404
    ann.refresh_from_db()
    assert ann.match_letters


def test_an_unsubscribe_link_opens_nothing_else(client, ann):
    client.post(unsubscribe.stop_path(ann, "match"))
    assert not is_in(client)
