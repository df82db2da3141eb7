"""`manage.py check_mail`: a sentence for each wrong record, and an e-mail that comes around."""

import io
import threading
import time
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from games.mail.answering import worker
from games.mail.inbound import domain_check
from games.mail.models import IncomingMessage
from tests.mail.dns_server import Zone, dns_server
from tests.mail.listening import Start

DOMAIN = "play.example.org"


@pytest.fixture
def zone(settings: Settings) -> Iterator[Zone]:
    settings.DEMO = False
    settings.MAIL_DOMAIN = DOMAIN
    settings.DEFAULT_FROM_EMAIL = f"Estafette <post@{DOMAIN}>"
    settings.MAIL_CHECK_DKIM = True
    with dns_server() as zone:
        settings.MAIL_DNS = ("127.0.0.1", zone.port)
        zone.mail_hosts[DOMAIN] = ["mx.example.org"]
        zone.addresses["mx.example.org"] = "203.0.113.7"
        zone.texts[DOMAIN] = ["v=spf1 mx -all", "something else"]
        zone.texts[f"_dmarc.{DOMAIN}"] = ["v=DMARC1; p=none"]
        yield zone


def wrong() -> list[str]:
    return [finding.words for finding in domain_check.findings() if not finding.right]


def test_nothing_is_wrong(zone: Zone) -> None:
    assert wrong() == []


def test_each_record_that_is_wrong_has_a_sentence_that_says_what_is_right(
    zone: Zone, settings: Settings
) -> None:
    zone.addresses.clear()
    zone.texts[DOMAIN] = ["v=spf1 +all"]
    zone.texts[f"_dmarc.{DOMAIN}"] = ["v=DMARC1; rua=mailto:a@example.org"]
    settings.DEFAULT_FROM_EMAIL = "post@example.net"
    mx, spf, dmarc, sender = wrong()
    assert mx.startswith("MX: mx.example.org has no address.") and "A or AAAA" in mx
    assert "anybody may send" in spf and "v=spf1 mx -all" in spf
    assert "has no p=" in dmarc and "v=DMARC1; p=none" in dmarc
    assert "example.net" in sender


def test_what_is_missing_is_said(zone: Zone) -> None:
    zone.mail_hosts.clear()
    zone.texts.clear()
    mx, spf, dmarc = wrong()
    assert mx.startswith(f"MX: {DOMAIN} has none") and f"{DOMAIN}. MX 10" in mx
    assert spf.startswith(f"SPF: {DOMAIN} has no record.")
    assert dmarc.startswith(f"DMARC: {DOMAIN} has no record.")


def test_two_records_are_as_none(zone: Zone) -> None:
    zone.texts[DOMAIN].append("v=spf1 a -all")
    zone.texts[f"_dmarc.{DOMAIN}"].append("v=DMARC1; p=reject")
    assert [words[:4] for words in wrong()] == ["SPF:", "DMAR"]


def test_the_policy_of_the_organization_counts(zone: Zone) -> None:
    zone.texts["_dmarc.example.org"] = zone.texts.pop(f"_dmarc.{DOMAIN}")
    assert wrong() == []


def test_a_dns_server_that_fails_is_said_to(zone: Zone) -> None:
    zone.fails = {DOMAIN}
    assert next(words for words in wrong() if "MAIL_DNS" in words).startswith("MX: no DNS server")


@pytest.mark.parametrize("reading", [True, False], ids=["read", "no worker"])
def test_a_letter_goes_through_the_whole_loop(
    zone: Zone, start: Start, settings: Settings, reading: bool
) -> None:
    place = start("smtp")
    settings.MAIL_LISTEN = str(place)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = place.host, place.port
    said, done = io.StringIO(), threading.Event()

    def work() -> None:
        while not done.is_set():
            worker.work(1)
            time.sleep(0.1)
        connection.close()

    thread = threading.Thread(target=work if reading else lambda: None)
    thread.start()
    try:
        if reading:
            call_command("check_mail", "--wait", "30", stdout=said)
        else:
            with pytest.raises(SystemExit, match="1"):
                call_command("check_mail", "--wait", "1", stdout=said)
    finally:
        done.set()
        thread.join()
    assert ("came back, and was read" in said.getvalue()) == reading
    assert ("Start a worker" in said.getvalue()) != reading
    assert IncomingMessage.objects.get().door == "post"


def test_without_a_mail_server_it_says_so(zone: Zone, settings: Settings, db: None) -> None:
    settings.MAIL_CHECK_DKIM = False
    said = io.StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("check_mail", stdout=said)
    for words in ("Way in: there is none.", "Senders: nobody is believed.", "Loop: EMAIL_URL"):
        assert words in said.getvalue()
