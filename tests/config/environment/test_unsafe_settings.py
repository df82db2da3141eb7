"""The demo, and settings for a local machine, are refused on a public site."""

import os
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from accounts.models import User
from config.environment import unsafe_settings
from config.environment.checks import installation
from config.management.commands.demo import STAFF
from config.processes import start_check
from tests import preloaded, tiers
from tests.play.match_helpers import People

LOCAL = ["localhost", "LOCALHOST.", "demo.localhost", "127.0.0.1", "127.8.9.1", "::1", "[::1]"]
OTHERS = [
    "0.0.0.0",
    "::",
    "",
    "10.0.0.1",
    "play.example.org",
    "localhost.example.org",
    "127.1.example",
]


@pytest.mark.parametrize("host", LOCAL)
def test_these_hosts_are_this_machine(host: str) -> None:
    assert unsafe_settings.is_loopback(host)


@pytest.mark.parametrize("host", OTHERS)
def test_these_hosts_are_other_machines(host: str) -> None:
    assert not unsafe_settings.is_loopback(host)


@pytest.fixture
def demo(settings: Any) -> Any:
    settings.DEMO, settings.SITE_URL = True, "http://localhost:8000"
    return settings


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"DEMO": False}, "so it needs DEMO=true"),
        ({"SITE_URL": "https://localhost"}, "SITE_URL is https://localhost"),
        ({"SITE_URL": "http://play.example.org"}, "SITE_URL is http://play.example.org"),
    ],
)
def test_no_superuser_with_a_public_password_is_created(
    db: None, demo: Any, fields: dict[str, Any], sentence: str
) -> None:
    for name, value in fields.items():
        setattr(demo, name, value)
    with pytest.raises(CommandError, match=sentence):
        call_command("demo")
    assert not User.objects.exists()


def test_a_database_with_other_users_gets_no_demo(demo: Any, who: People) -> None:
    with pytest.raises(CommandError, match="This database has users already"):
        call_command("demo")
    assert not User.objects.filter(username=STAFF).exists()


REFUSED_BY_UP = [
    (["--host", "0.0.0.0"], {}, "--host 0.0.0.0 lets others in"),
    ([], {"SITE_URL": "https://play.example.org"}, "SITE_URL is https://play.example.org"),
]


@pytest.mark.parametrize(
    ("options", "environment", "sentence"),
    tiers.parameters(REFUSED_BY_UP, fast=REFUSED_BY_UP[:1]),
)
def test_up_refuses_before_it_writes_anything(
    tmp_path: Path, options: list[str], environment: dict[str, str], sentence: str
) -> None:
    var = tmp_path / "var"
    given = {"PATH": os.environ["PATH"], "VAR_DIR": str(var), **environment}
    done = preloaded.run(["manage.py", "up", "--demo", *options], given)
    assert done.returncode == 1 and sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert not var.exists()


def test_serve_refuses_other_machines_in_the_demo(db: None, demo: Any) -> None:
    with pytest.raises(CommandError, match="lets others in"):
        call_command("serve", host="0.0.0.0")


@pytest.mark.parametrize("name", ["DEMO", "DEBUG"])
def test_nothing_starts_with_unsafe_settings_and_https(settings: Any, name: str) -> None:
    settings.HTTPS, settings.SITE_URL = True, "https://play.example.org"
    assert not [one for one in installation() if one.id == "config.E003"]
    setattr(settings, name, True)
    (warning,) = [one for one in installation() if one.id == "config.E003"]
    with pytest.raises(ImproperlyConfigured) as refused:
        start_check.require_safe_settings()
    assert str(refused.value) == warning.msg


@pytest.mark.parametrize("name", ["MAIL_PROVIDER", "MAIL_IMAP"])
def test_nothing_starts_if_anybody_could_write_our_results(settings: Any, name: str) -> None:
    settings.MAIL_AUTHSERV_ID, settings.MAIL_CHECK_DKIM = "mx.example.org", True
    settings.MAIL_LISTEN = "lmtp://127.0.0.1:8024"
    start_check.require_safe_settings()
    setattr(settings, name, {"MAIL_PROVIDER": "postmark"}.get(name, "imaps://a:b@example.org"))
    with pytest.raises(ImproperlyConfigured, match=f"In a message from {name}, anybody may") as no:
        start_check.require_safe_settings()
    assert "a:b" not in str(no.value)
    settings.MAIL_AUTHSERV_ID = ""
    start_check.require_safe_settings()


RECEIVING = {
    "MAIL_LISTEN": "lmtp://127.0.0.1:8024",
    "MAIL_AUTHSERV_ID": "mx.example.org",
    "MAIL_DOMAIN": "play.example.org",
    "DEFAULT_FROM_EMAIL": "Estafette <post@play.example.org>",
}
WRONG_FOR_MAIL = [
    ({"MAIL_AUTHSERV_ID": ""}, "nothing verifies their senders"),
    ({"MAIL_LISTEN": "smtp://0.0.0.0:25"}, "port 25"),
    ({"MAIL_LISTEN": "lmtp://0.0.0.0:8024"}, "other machines may reach it"),
    ({"MAIL_LISTEN": "lmtp://[::]:8024"}, "other machines may reach it"),
    ({"MAIL_IMAP": "imaps://a:b@example.org", "MAIL_IMAP_HEADER": "To"}, "the sender of a message"),
    ({"DEFAULT_FROM_EMAIL": "club@example.org"}, "taken at play.example.org alone"),
]
RIGHT_FOR_MAIL: list[dict[str, Any]] = [
    {},
    {"MAIL_AUTHSERV_ID": "", "MAIL_CHECK_DKIM": True},
    {"MAIL_AUTHSERV_ID": "", "MAIL_REPLIES": "false"},
    {"MAIL_LISTEN": "lmtp:/run/estafette/mail.sock"},
    {"MAIL_LISTEN": "lmtp://listener:8024"},
    {"MAIL_IMAP": "imaps://a:b@example.org", "MAIL_IMAP_HEADER": "Delivered-To"},
    {"MAIL_LISTEN": "", "DEFAULT_FROM_EMAIL": "club@example.org"},
]


@pytest.mark.parametrize(("given", "sentence"), WRONG_FOR_MAIL)
def test_settings_of_mail_that_cannot_work_are_reported(
    settings: Any, given: dict[str, str], sentence: str
) -> None:
    for name, value in (RECEIVING | given).items():
        setattr(settings, name, value)
    (warning,) = unsafe_settings.warnings()
    assert sentence in warning and "a:b" not in warning


@pytest.mark.parametrize("given", RIGHT_FOR_MAIL)
def test_settings_of_mail_that_work_are_not_reported(settings: Any, given: dict[str, Any]) -> None:
    for name, value in (RECEIVING | given).items():
        setattr(settings, name, value)
    assert not list(unsafe_settings.warnings())


def test_unusual_settings_with_https_are_reported(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.STAFF_NEEDS_MFA = False
    settings.EMAIL_BACKEND = "games.notifications.email.demo.file_backend.EmailBackend"
    assert not list(unsafe_settings.warnings())
    settings.HTTPS = True
    assert len([one for one in installation() if one.id == "config.W003"]) == 2
    start_check.require_safe_settings()
    assert "a password alone opens the admin" in caplog.text
    assert "E-mails are written to files" in caplog.text


def test_held_emails_are_reported_at_start_and_by_check(
    settings: Any, caplog: pytest.LogCaptureFixture
) -> None:
    settings.HOLD_EMAILS = True
    start_check.require_safe_settings()
    warnings = [each.msg for each in installation() if each.id == "config.W003"]
    assert any(
        sentence.startswith("HOLD_EMAILS is on: nothing is delivered") for sentence in warnings
    )
    assert "HOLD_EMAILS is on: nothing is delivered" in caplog.text
