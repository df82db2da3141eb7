"""`manage.py check_mail`: findings on DNS records, and the round trip of an e-mail."""

import io
import threading
import time
from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import connection
from pytest_django import Settings

from games.mail.answering import worker
from games.mail.inbound import dns_check
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
        zone.mx_hosts[DOMAIN] = ["mx.example.org"]
        zone.addresses["mx.example.org"] = "203.0.113.7"
        zone.txt_records[DOMAIN] = ["v=spf1 mx -all", "something else"]
        zone.txt_records[f"_dmarc.{DOMAIN}"] = ["v=DMARC1; p=none"]
        yield zone


def problems() -> list[str]:
    return [finding.sentence for finding in dns_check.findings() if not finding.is_right]


def test_a_correct_configuration_has_no_problems(zone: Zone) -> None:
    assert problems() == []


def test_each_wrong_record_is_reported_with_a_fix(zone: Zone, settings: Settings) -> None:
    zone.addresses.clear()
    zone.txt_records[DOMAIN] = ["v=spf1 +all"]
    zone.txt_records[f"_dmarc.{DOMAIN}"] = ["v=DMARC1; rua=mailto:a@example.org"]
    settings.DEFAULT_FROM_EMAIL = "post@example.net"
    mx, spf, dmarc, sender = problems()
    assert mx.startswith("MX: mx.example.org has no address.") and "A or AAAA" in mx
    assert "anybody may send" in spf and "v=spf1 mx -all" in spf
    assert "has no p=" in dmarc and "v=DMARC1; p=none" in dmarc
    assert "example.net" in sender


def test_missing_records_are_reported(zone: Zone) -> None:
    zone.mx_hosts.clear()
    zone.txt_records.clear()
    mx, spf, dmarc = problems()
    assert mx.startswith(f"MX: {DOMAIN} has none") and f"{DOMAIN}. MX 10" in mx
    assert spf.startswith(f"SPF: {DOMAIN} has no record.")
    assert dmarc.startswith(f"DMARC: {DOMAIN} has no record.")


def test_duplicate_records_are_reported(zone: Zone) -> None:
    zone.txt_records[DOMAIN].append("v=spf1 a -all")
    zone.txt_records[f"_dmarc.{DOMAIN}"].append("v=DMARC1; p=reject")
    assert [words[:4] for words in problems()] == ["SPF:", "DMAR"]


def test_the_dmarc_record_of_the_organizational_domain_counts(zone: Zone) -> None:
    zone.txt_records["_dmarc.example.org"] = zone.txt_records.pop(f"_dmarc.{DOMAIN}")
    assert problems() == []


def test_a_failing_dns_server_is_reported(zone: Zone) -> None:
    zone.fails = {DOMAIN}
    assert next(words for words in problems() if "MAIL_DNS" in words).startswith(
        "MX: no DNS server"
    )


@pytest.mark.parametrize("has_worker", [True, False], ids=["read", "no worker"])
def test_an_email_makes_the_round_trip(
    zone: Zone, start: Start, settings: Settings, has_worker: bool
) -> None:
    place = start("smtp")
    settings.MAIL_LISTEN = str(place)
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = place.host, place.port
    output, done = io.StringIO(), threading.Event()

    def work() -> None:
        while not done.is_set():
            worker.process_waiting(1)
            time.sleep(0.1)
        connection.close()

    thread = threading.Thread(target=work if has_worker else lambda: None)
    thread.start()
    try:
        if has_worker:
            call_command("check_mail", "--wait", "30", stdout=output)
        else:
            with pytest.raises(SystemExit, match="1"):
                call_command("check_mail", "--wait", "1", stdout=output)
    finally:
        done.set()
        thread.join()
    assert ("came back, and was read" in output.getvalue()) == has_worker
    assert ("Start a worker" in output.getvalue()) != has_worker
    assert IncomingMessage.objects.get().door == "post"


def test_a_missing_mail_server_is_reported(zone: Zone, settings: Settings, db: None) -> None:
    settings.MAIL_CHECK_DKIM = False
    output = io.StringIO()
    with pytest.raises(SystemExit, match="1"):
        call_command("check_mail", stdout=output)
    for words in ("Way in: there is none.", "Senders: nobody is believed.", "Loop: EMAIL_URL"):
        assert words in output.getvalue()
