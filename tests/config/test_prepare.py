"""Reading the settings makes nothing; `prepare`, `migrate` and `up` make what is missing."""

import os
import stat
import subprocess
from pathlib import Path

import pytest

from tests import preloaded

MADE = {"secret_key", "seal_key", "vapid_key", "static"}


def python(*arguments: str, **given: str) -> "subprocess.CompletedProcess[str]":
    """A process whose environment says this and nothing else."""
    return preloaded.run(arguments, {"PATH": os.environ["PATH"], **given})


@pytest.mark.parametrize(
    "code",
    [
        "import config.settings",
        "import django; django.setup()",
        "from config.celery import app; app.conf.broker_url; app.loader.import_default_modules()",
    ],
)
def test_reading_the_settings_makes_nothing(tmp_path: Path, code: str) -> None:
    prologue = "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; "
    done = python("-c", prologue + code, VAR_DIR=str(tmp_path / "var"))
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "var").exists()


@pytest.mark.parametrize(
    "command", [["prepare"], ["migrate", "--plan"]], ids=["prepare", "migrate"]
)
def test_a_start_command_makes_the_folder_and_the_keys(tmp_path: Path, command: list[str]) -> None:
    var = tmp_path / "a" / "var"
    done = python("manage.py", *command, VAR_DIR=str(var))
    assert done.returncode == 0, done.stderr
    assert {path.name for path in var.iterdir()} >= MADE
    for name in ("secret_key", "seal_key", "vapid_key"):
        assert stat.S_IMODE((var / name).stat().st_mode) == 0o600
    keys = {path: path.read_text() for path in var.glob("*_key")}
    assert python("manage.py", *command, VAR_DIR=str(var)).returncode == 0
    assert {path: path.read_text() for path in var.glob("*_key")} == keys


def test_a_key_that_the_environment_gives_is_not_made(tmp_path: Path) -> None:
    given = {"SECRET_KEY": "mine" * 8, "SEAL_KEYS": "ours" * 8}
    python("manage.py", "prepare", VAR_DIR=str(tmp_path), **given)
    assert {path.name for path in tmp_path.iterdir()} == {"vapid_key", "static"}


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = python("manage.py", "prepare", VAR_DIR=str(tmp_path / "file" / "var"))
    assert done.returncode == 1
    assert "file/var cannot be made: Not a directory." in done.stderr
    assert "Traceback" not in done.stderr


def test_a_web_server_does_not_begin_without_its_keys(tmp_path: Path) -> None:
    done = python("-c", "import config.wsgi", VAR_DIR=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(
        f"The key in {tmp_path}/secret_key cannot be read: No such file or directory."
        " `manage.py prepare` makes what is missing."
    )


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"DEBUG": "maybe"}, "DEBUG=maybe is neither true nor false."),
        ({"CONN_MAX_AGE": "ten", "DATABASE_URL": "postgres://h/n"}, "CONN_MAX_AGE=ten is no whole"),
        ({"TRUSTED_PROXY_COUNT": "-1"}, "TRUSTED_PROXY_COUNT=-1 is no whole number."),
        ({"LOG_LEVEL": "loud"}, "LOG_LEVEL=LOUD is none of"),
        ({"SITE_URL": "example.org"}, "SITE_URL=example.org does not begin with http"),
        ({"DATABASE_URL": "nonsense"}, "DATABASE_URL is no address of the kind postgres://"),
        ({"DATABASE_URL": "postgres://me:secret@h:x/n"}, "DATABASE_URL is no address of the kind"),
        ({"CACHE_URL": "nonsense"}, "CACHE_URL is no address of the kind rediscache://"),
        ({"EMAIL_URL": "nonsense"}, "EMAIL_URL is no address of the kind smtp+tls://"),
        ({"VAPID_KEY": "secret"}, "VAPID_KEY is no private key of the curve P-256"),
        ({"SEAL_KEYS_FILE": "/no/where"}, "SEAL_KEYS_FILE names /no/where, which cannot be read"),
        ({"BROKER_URL": "nonsense://secret"}, "BROKER_URL is no address of the kind redis://"),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, dict) else "",
)
def test_a_wrong_setting_is_told_in_a_sentence(
    tmp_path: Path, given: dict[str, str], sentence: str
) -> None:
    done = python("manage.py", "check", VAR_DIR=str(tmp_path), **given)
    assert done.returncode == 1
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert "secret@" not in done.stderr


def test_all_that_is_wrong_is_told_at_once_and_lets_nothing_run(tmp_path: Path) -> None:
    done = python("manage.py", "prepare", VAR_DIR=str(tmp_path), DEBUG="maybe", EMAIL_URL="x")
    assert done.returncode == 1
    assert [line.split()[0] for line in done.stderr.splitlines()] == ["DEBUG=maybe", "EMAIL_URL"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("secret_key", "", "secret_key is empty."),
        ("vapid_key", "A" * 43, "vapid_key holds no private key of the curve P-256"),
        ("seal_key", None, "no SEAL_KEYS in the environment, and no "),
    ],
)
def test_a_wrong_file_is_told_in_a_sentence(
    tmp_path: Path, name: str, content: str | None, sentence: str
) -> None:
    python("manage.py", "prepare", VAR_DIR=str(tmp_path))
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_text(content)
    done = python("manage.py", "check", VAR_DIR=str(tmp_path))
    assert done.returncode == (content is not None)
    assert sentence in done.stderr
