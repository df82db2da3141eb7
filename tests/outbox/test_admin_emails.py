"""E-mails to ADMINS: each says which site it is about."""

import re
from typing import Any

from django.core import mail
from django.core.management import call_command

from games.outbox.delivery.admin_emails import send_to_admins


def test_an_email_to_administrators_names_its_site(settings: Any) -> None:
    settings.ADMINS = [("", "a@example.net"), ("", "b@example.net")]
    settings.SITE_URL, settings.SITE_HOST = "https://play.example.org", "play.example.org"
    settings.MAIL_DOMAIN = "letters.example.org"
    send_to_admins("Needs attention: outbox", "A message waits.")
    (email,) = mail.outbox
    assert email.subject == "[Estafette, play.example.org] Needs attention: outbox"
    assert str(email.body).endswith("-- \nEstafette at https://play.example.org\n")
    assert email.to == ["a@example.net", "b@example.net"]
    message = email.message()
    assert re.fullmatch(r"<[^@<>\s]+@letters\.example\.org>", message["Message-ID"])
    assert message["Auto-Submitted"] == "auto-generated"


def test_without_administrators_nothing_is_sent(settings: Any) -> None:
    settings.ADMINS = []
    send_to_admins("Needs attention: outbox", "A message waits.")
    assert not mail.outbox


def test_the_test_email_looks_like_those_to_administrators(settings: Any) -> None:
    settings.MAIL_DOMAIN, settings.ADMINS = "letters.example.org", [("", "a@example.net")]
    call_command("sendtestemail", "you@example.net", admins=True)
    (email,) = mail.outbox
    assert email.to == ["you@example.net", "a@example.net"]
    assert str(email.message()["Message-ID"]).endswith("@letters.example.org>")
