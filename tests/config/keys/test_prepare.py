"""Reading the settings creates nothing; `prepare`, `migrate` and `up` create what is missing."""

import os
import shutil
import stat
import subprocess
from pathlib import Path

import pytest

from tests import preloaded, tiers

pytestmark = pytest.mark.long

MADE = {"secret_key", "seal_key", "vapid_key", "proof_key", "static"}


def python(*arguments: str, **given: str) -> "subprocess.CompletedProcess[str]":
    """A process with only these environment variables."""
    return preloaded.run(arguments, {"PATH": os.environ["PATH"], **given})


READINGS = {
    "settings": "import config.settings",
    "Django": "import django; django.setup()",
    "Celery": (
        "from config.celery import app; app.conf.broker_url; app.loader.import_default_modules()"
    ),
}


# Celery reads what the other two do.
@pytest.mark.parametrize(
    "code", tiers.parameters(READINGS.values(), fast=[READINGS["Celery"]]), ids=[*READINGS]
)
def test_reading_the_settings_creates_nothing(tmp_path: Path, code: str) -> None:
    prologue = "import os; os.environ['DJANGO_SETTINGS_MODULE'] = 'config.settings'; "
    done = python("-c", prologue + code, VAR_DIR=str(tmp_path / "var"))
    assert done.returncode == 0, done.stderr
    assert not (tmp_path / "var").exists()


# processes/test_start_check.py sees what `migrate` creates.
@pytest.mark.parametrize(
    "command",
    tiers.parameters([["prepare"], ["migrate", "--plan"]], fast=[["prepare"]]),
    ids=["prepare", "migrate"],
)
def test_a_start_command_creates_the_folder_and_the_keys(
    tmp_path: Path, command: list[str]
) -> None:
    var = tmp_path / "a" / "var"
    done = python("manage.py", *command, VAR_DIR=str(var))
    assert done.returncode == 0, done.stderr
    assert {path.name for path in var.iterdir()} >= MADE
    for name in ("secret_key", "seal_key", "vapid_key", "proof_key"):
        assert stat.S_IMODE((var / name).stat().st_mode) == 0o600
    keys = {path: path.read_text() for path in var.glob("*_key")}
    assert python("manage.py", *command, VAR_DIR=str(var)).returncode == 0
    assert {path: path.read_text() for path in var.glob("*_key")} == keys


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with its keys."""
    folder = tmp_path_factory.mktemp("prepared")
    assert python("manage.py", "prepare", VAR_DIR=str(folder)).returncode == 0
    return folder


def test_a_key_that_the_environment_gives_is_not_created(tmp_path: Path) -> None:
    given = {"SECRET_KEY": "mine" * 8, "SEAL_KEYS": "ours" * 8}
    python("manage.py", "prepare", VAR_DIR=str(tmp_path), **given)
    assert {path.name for path in tmp_path.iterdir()} == {"vapid_key", "proof_key", "static"}


def test_a_folder_that_cannot_be_created_is_reported_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = python("manage.py", "prepare", VAR_DIR=str(tmp_path / "file" / "var"))
    assert done.returncode == 1
    assert "file/var cannot be created: Not a directory." in done.stderr
    assert "Traceback" not in done.stderr


UNUSABLE = [
    (["collectstatic", "--noinput"], "file/var cannot be used: Not a directory. Give "),
    (["sendtestemail", "you@example.org"], "file/var/mail cannot be used: Not a directory."),
    (["received"], "The database of DATABASE_URL cannot be used: unable to open database file"),
]


@pytest.mark.parametrize(
    ("command", "expected"),
    tiers.parameters(UNUSABLE, fast=UNUSABLE[-1:]),
    ids=["collectstatic", "sendtestemail", "received"],
)
def test_a_command_that_cannot_use_the_folder_says_so_in_a_sentence(
    tmp_path: Path, command: list[str], expected: str
) -> None:
    (tmp_path / "file").touch()
    keys = dict.fromkeys(("SECRET_KEY", "SEAL_KEYS"), "a key of more than 32 characters")
    done = python("manage.py", *command, VAR_DIR=str(tmp_path / "file" / "var"), **keys)
    assert done.returncode == 1
    assert expected in done.stderr and "Traceback" not in done.stderr


def test_a_web_server_does_not_begin_without_its_keys(tmp_path: Path) -> None:
    done = python("-c", "import config.web.wsgi", VAR_DIR=str(tmp_path))
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].endswith(
        f"The key in {tmp_path}/secret_key cannot be read: No such file or directory."
        " `manage.py prepare` creates missing keys."
    )


WRONG = [
    ({"DEBUG": "maybe"}, "DEBUG=maybe is neither true nor false."),
    ({"CONN_MAX_AGE": "ten", "DATABASE_URL": "postgres://h/n"}, "CONN_MAX_AGE=ten is not a whole"),
    ({"CONN_MAX_AGE": "ten"}, "CONN_MAX_AGE=ten is not a whole number."),
    ({"CONN_MAX_AGE": "9" * 5000}, "9 is not between 0 and "),
    ({"HSTS_SECONDS": "ten"}, "HSTS_SECONDS=ten is not a whole number."),
    ({"SSL_REDIRECT": "perhaps"}, "SSL_REDIRECT=perhaps is neither true nor false."),
    ({"TRANSACTION_POOLING": "perhaps"}, "TRANSACTION_POOLING=perhaps is neither true nor"),
    ({"ACCOUNT_EMAILS_AN_HOUR": "0"}, "ACCOUNT_EMAILS_AN_HOUR=0 is not between 1 and "),
    ({"TIMEOUTS_PERCENT": "101"}, "TIMEOUTS_PERCENT=101 is not between 0 and 100."),
    ({"TRUSTED_PROXY_COUNT": "-1"}, "TRUSTED_PROXY_COUNT=-1 is not a whole number."),
    ({"LOG_LEVEL": "loud"}, "LOG_LEVEL=LOUD is not one of"),
    ({"SITE_URL": "example.org"}, "SITE_URL=example.org does not begin with http"),
    ({"SITE_URL": "https://["}, "SITE_URL is not an address like https://"),
    ({"SITE_URL": "https://play.example.org:port"}, "SITE_URL is not an address like"),
    ({"SITE_URL": "https://play.example.org/club"}, "SITE_URL is not an address like"),
    ({"SITE_URL": "https://play example.org"}, "SITE_URL is not an address like https://"),
    ({"WEB_URL": "http://h:1,http://h:99999"}, "WEB_URL is not an address like https://"),
    ({"ALLOWED_HOSTS": "https://example.org"}, "ALLOWED_HOSTS is not a list of host names like"),
    ({"ALLOWED_HOSTS": "*"}, "ALLOWED_HOSTS=* would accept requests for any host name. List the"),
    ({"ALLOWED_HOSTS": "*.example.org"}, "ALLOWED_HOSTS is not a list of host names like"),
    ({"MAIL_DOMAIN": "*"}, "MAIL_DOMAIN is not a domain like"),
    ({"ADMINS": "me@example.org,nobody"}, "ADMINS is not a list of addresses like you@"),
    ({"DEFAULT_FROM_EMAIL": "Estafette"}, "DEFAULT_FROM_EMAIL is not an address like"),
    ({"MAIL_DOMAIN": "post@example.org"}, "MAIL_DOMAIN is not a domain like"),
    ({"MAIL_LISTEN": "lmtp://127.0.0.1:99999"}, "MAIL_LISTEN is not an address like"),
    ({"MAIL_DNS": "127.0.0.1:99999"}, "MAIL_DNS is not an address like"),
    ({"DATABASE_URL": "sqlite:nonsense"}, "DATABASE_URL is not an address like sqlite:////var"),
    ({"DATABASE_URL": "sqlite:////srv/a?b/x"}, "In the path, % is written %25, ? is %3F and # is"),
    ({"DATABASE_URL": "sqlite:////srv/a#b/x"}, "In the path, % is written %25, ? is %3F and # is"),
    ({"DATABASE_URL": "sqlite:////srv/100%/x"}, "In the path, % is written %25, ? is %3F and # is"),
    ({"DATABASE_URL": "postgres://me:secret@h"}, "DATABASE_URL is not an address like"),
    ({"DATABASE_URL": "nonsense"}, "DATABASE_URL is not an address like postgres://"),
    ({"DATABASE_URL": "postgres://me:secret@h:x/n"}, "DATABASE_URL is not an address like"),
    ({"CACHE_URL": "nonsense"}, "CACHE_URL is not an address like rediscache://"),
    ({"CACHE_URL": "dummycache://"}, "CACHE_URL is not an address like rediscache://"),
    ({"CACHE_URL": "redis://:secret@h:x/1"}, "CACHE_URL is not an address like"),
    ({"CACHE_URL": "rediscache://"}, "CACHE_URL is not an address like rediscache://"),
    ({"EMAIL_URL": "smtp://"}, "EMAIL_URL is not an address like smtp+tls://"),
    ({"EMAIL_URL": "nonsense"}, "EMAIL_URL is not an address like smtp+tls://"),
    ({"PROOF_KEYS": "a" * 63}, "PROOF_KEYS holds something other than keys of 64 lower-case"),
    ({"PROOF_KEYS": f"{'0a' * 32},{'0A' * 32}"}, "PROOF_KEYS holds something other than keys"),
    ({"PROOF_KEYS": ","}, "PROOF_KEYS holds something other than keys of 64 lower-case"),
    ({"VAPID_KEY": "secret"}, "VAPID_KEY is not a P-256 private key"),
    ({"SEAL_KEYS_FILE": "/no/where"}, "SEAL_KEYS_FILE names /no/where, which cannot be read"),
    ({"BROKER_URL": "nonsense://secret"}, "BROKER_URL is not an address like redis://"),
    ({"BROKER_URL": "redis://:secret@h:x/0"}, "BROKER_URL is not an address like redis://"),
    ({"BROKER_URL": "amqp://"}, "BROKER_URL is not an address like redis://host:6379/0 or redis+s"),
    ({"BROKER_URL": "amqp://me:secret@h/"}, "Other brokers are not supported."),
    ({"BROKER_URL": "memory://"}, "Other brokers are not supported."),
    ({"BROKER_URL": "redis://"}, "BROKER_URL is not an address like redis://"),
    ({"BROKER_URL": "redis+socket://"}, "BROKER_URL is not an address like redis://"),
    ({"BROKER_URL": "redis"}, "BROKER_URL is not an address like redis://"),
    ({"SEAL_KEYS": " , "}, "SEAL_KEYS does not hold a key."),
    ({"SECRET_KEY_FALLBACKS": "a"}, "SECRET_KEY_FALLBACKS holds a key of fewer than 32"),
]
# The similar setting is named if it is not set itself.
MISSPELT = [
    ({"ESTAFETTE_SEAL_KEYS": "x"}, "ESTAFETTE_SEAL_KEYS is not a setting; SEAL_KEYS is one."),
    ({"ESTAFETTE_COLOUR": "x"}, "ESTAFETTE_COLOUR is not a setting. docs/running/settings.md"),
    ({"SEAL_KEY_FILE": "/x"}, "SEAL_KEY_FILE is not a setting; SEAL_KEYS is one."),
    ({"HOLD_EMAIL": "true"}, "HOLD_EMAIL is not a setting; HOLD_EMAILS is one."),
    ({"DATABSAE_URL": "secret"}, "DATABSAE_URL is not a setting; DATABASE_URL is one."),
]


def names(*given: dict[str, str]) -> set[str]:
    return {name.removesuffix("_FILE") for each in given for name in each}


def groups(cases: list[tuple[dict[str, str], str]]) -> list[list[tuple[dict[str, str], str]]]:
    """The same cases, in as few groups as possible without two values of a setting."""
    grouped: list[list[tuple[dict[str, str], str]]] = []
    for given, sentence in cases:
        free = (
            group for group in grouped if not names(given) & names(*(each for each, _ in group))
        )
        group = next(free, None)
        if group is None:
            grouped.append(group := [])
        group.append((given, sentence))
    return grouped


# A process reports all wrong settings at once.
@pytest.mark.parametrize("cases", [*groups(WRONG), MISSPELT], ids=len)
def test_a_wrong_setting_is_reported_in_a_sentence(
    tmp_path: Path, cases: list[tuple[dict[str, str], str]]
) -> None:
    given = {name: value for each, _ in cases for name, value in each.items()}
    done = python("manage.py", "check", VAR_DIR=str(tmp_path), **given)
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert [sentence for _, sentence in cases if not any(sentence in line for line in lines)] == []
    assert len(lines) == len(cases), done.stderr
    assert "Traceback" not in done.stderr
    assert "secret@" not in done.stderr


def test_all_wrong_settings_are_reported_at_once_and_nothing_starts(tmp_path: Path) -> None:
    done = python("manage.py", "prepare", VAR_DIR=str(tmp_path), DEBUG="maybe", EMAIL_URL="x")
    assert done.returncode == 1
    assert [line.split()[0] for line in done.stderr.splitlines()] == ["DEBUG=maybe", "EMAIL_URL"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("secret_key", "", "secret_key is empty."),
        pytest.param(
            *("vapid_key", "A" * 43, "vapid_key does not hold a P-256 private key"),
            marks=pytest.mark.soak,
        ),
        pytest.param(
            *("proof_key", "0" * 63, "proof_key does not hold 64 lower-case hexadecimal digits"),
            marks=pytest.mark.soak,
        ),
        pytest.param(
            *("seal_key", None, "SEAL_KEYS is not in the environment, and "),
            marks=pytest.mark.soak,
        ),
    ],
)
def test_a_wrong_file_is_reported_in_a_sentence(
    prepared: Path, tmp_path: Path, name: str, content: str | None, sentence: str
) -> None:
    shutil.copytree(prepared, tmp_path, dirs_exist_ok=True)
    (tmp_path / name).unlink()
    if content is not None:
        (tmp_path / name).write_text(content)
    done = python("manage.py", "check", VAR_DIR=str(tmp_path))
    assert done.returncode == (content is not None)
    assert sentence in done.stderr


def test_names_of_other_programs_are_ignored(tmp_path: Path) -> None:
    others = {
        **dict.fromkeys(("ESTAFETTE_HOST", "ESTAFETTE_WEB_SERVICE_HOST"), "x"),
        **dict.fromkeys(("ESTAFETTE_PORT", "ESTAFETTE_PORT_8000_TCP_ADDR"), "x"),
        **dict.fromkeys(("MAIL", "MAILTO", "LOGNAME", "EMAIL_HOST", "REDIS_URL"), "x"),
        # One character away from a setting that is set: probably another program's.
        "LOG_LEVEL": "INFO",
        "LOGLEVEL": "x",
    }
    done = python("-c", "import config.settings", VAR_DIR=str(tmp_path), **others)
    assert done.returncode == 0, done.stderr
