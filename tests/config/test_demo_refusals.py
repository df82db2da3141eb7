"""`up --demo` and the demo's mail are refused if other users or machines are concerned."""

import os
import sqlite3
import subprocess
from contextlib import closing
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command

from accounts.models import User
from config.environment.checks import installation
from config.management.commands.demo import PLAYERS, STAFF
from config.processes import start_check
from tests import preloaded


def up(var: Path, **environment: str) -> "subprocess.CompletedProcess[str]":
    """`manage.py up --demo`, which must fail."""
    given = {"PATH": os.environ["PATH"], "VAR_DIR": str(var), **environment}
    return preloaded.run(["manage.py", "up", "--demo"], given)


def test_up_does_not_change_a_database_with_other_users(tmp_path: Path) -> None:
    """Also a database of an older version, which `up` would migrate."""
    database = tmp_path / "estafette.sqlite3"
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute("CREATE TABLE accounts_user (id INTEGER, username TEXT, email TEXT)")
        connection.execute("INSERT INTO accounts_user VALUES (1, 'anna', 'anna@club.example')")
    done = up(tmp_path)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "This database has users already" in done.stderr
    assert "anna" not in done.stderr
    assert [file.name for file in tmp_path.glob("*key*")] == []
    with closing(sqlite3.connect(database)) as connection:
        tables = connection.execute("SELECT name FROM sqlite_master").fetchall()
    assert tables == [("accounts_user",)]


@pytest.fixture
def demo(settings: Any) -> Any:
    settings.DEMO, settings.SITE_URL = True, "http://localhost:8000"
    return settings


def test_a_user_with_a_demo_name_does_not_turn_a_club_into_a_demo(db: None, demo: Any) -> None:
    User.objects.create_confirmed(PLAYERS[0], "anna@club.example")
    with pytest.raises(CommandError, match="This database has users already"):
        call_command("demo")


def test_the_demo_is_recognized_after_sign_ups_and_erasures(db: None, demo: Any) -> None:
    User.objects.create_superuser(STAFF, f"{STAFF}@example.org")
    User.objects.create_confirmed("newcomer", "newcomer@example.net")
    output = StringIO()
    call_command("demo", stdout=output)
    assert "exist already" in output.getvalue()
    assert User.objects.count() == 2


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("MAIL_LISTEN", "smtp://0.0.0.0:8025"),
        ("MAIL_LISTEN", "lmtp://[::]:8024"),
        ("MAIL_IMAP", "imaps://user:secret@mail.example.org/INBOX"),
        ("MAIL_PROVIDER", "postmark"),
    ],
)
def test_other_machines_cannot_send_mail_to_the_demo(demo: Any, name: str, value: str) -> None:
    """It trusts every sender."""
    setattr(demo, name, value)
    (warning,) = [one for one in installation() if one.id == "config.E003"]
    assert f"{name} accepts mail from other machines" in warning.msg and "secret" not in warning.msg
    with pytest.raises(ImproperlyConfigured, match="trusts every sender"):
        start_check.require_safe_settings()
    demo.MAIL_CHECK_DKIM = True
    start_check.require_safe_settings()


@pytest.mark.parametrize(
    "place", ["", "smtp://127.0.0.1:18000", "lmtp://[::1]:8024", "lmtp:/run/estafette/mail.sock"]
)
def test_this_machine_can_send_mail_to_the_demo(demo: Any, place: str) -> None:
    demo.MAIL_LISTEN = place
    start_check.require_safe_settings()


@pytest.mark.soak
def test_up_refuses_such_settings_before_it_writes_anything(tmp_path: Path) -> None:
    var = tmp_path / "var"
    done = up(var, MAIL_LISTEN="smtp://0.0.0.0:8025")
    assert done.returncode == 1 and "Traceback" not in done.stderr
    assert "MAIL_LISTEN accepts mail from other machines" in done.stderr
    assert not var.exists()
