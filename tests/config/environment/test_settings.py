"""Settings and their defaults, as a separate process reads them from its environment."""

import json
import os
import re
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

from config.environment.variables import Environment, WrongEnvironment
from tests import preloaded

SHOWN = """
import json
from config import settings
names = ("ALLOWED_HOSTS", "STAFF_NEEDS_MFA", "BOUNCES", "MAIL_DOMAIN", "CELERY_BROKER_URL",
         "SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME", "MESSAGES_COOKIE_NAME")
shown = {name: getattr(settings, name) for name in names}
print(json.dumps(shown | {"engine": settings.DATABASES["default"]["ENGINE"]}))
"""
SOURCE = (preloaded.ROOT / "config" / "settings.py").read_text()
NAMES = re.findall(r'env(?:\.\w+)?\("([A-Z_]+)"', SOURCE)


def read(folder: Path, **given: str) -> Any:
    """The settings of a process with only these variables."""
    kept = {name: value for name, value in os.environ.items() if name not in NAMES}
    environment = kept | {"VAR_DIR": str(folder)} | given
    done = preloaded.run(["-c", SHOWN], environment)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_documented(name: str) -> None:
    assert f"`{name}`" in (preloaded.ROOT / "docs" / "running" / "settings.md").read_text()


def test_an_empty_value_counts_as_not_set(tmp_path: Path) -> None:
    assert read(tmp_path, **{name: "" for name in NAMES if name != "VAR_DIR"}) == read(tmp_path)


@pytest.mark.parametrize("more", ["play.example.net", "play.example.net,www.example.net"])
def test_further_hosts_are_added_to_the_sites_own(tmp_path: Path, more: str) -> None:
    settings = read(tmp_path, SITE_URL="https://play.example.org", ALLOWED_HOSTS=more)
    assert settings["ALLOWED_HOSTS"] == [
        *("play.example.org", "localhost", "127.0.0.1", "[::1]"),
        *more.split(","),
    ]


@pytest.mark.parametrize(
    ("pooling", "engine"),
    [("false", "lib.database.postgresql"), ("true", "django.db.backends.postgresql")],
)
def test_behind_a_pooler_the_database_itself_is_asked(
    tmp_path: Path, pooling: str, engine: str
) -> None:
    """The pooler's connection stays open when the database's has ended."""
    url = "postgres://estafette@localhost/estafette"
    settings = read(tmp_path, DATABASE_URL=url, TRANSACTION_POOLING=pooling)
    assert settings["engine"] == engine


def test_a_value_may_be_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "domain").write_text("letters.example.org\n")
    settings = read(tmp_path, MAIL_DOMAIN_FILE=str(tmp_path / "domain"), MAIL_DOMAIN="")
    assert settings["MAIL_DOMAIN"] == "letters.example.org"


def test_instances_on_one_host_have_their_own_cookies(tmp_path: Path) -> None:
    """Browsers send cookies to every port of a host, in both schemes."""
    named = [
        {value for name, value in read(tmp_path, SITE_URL=site).items() if "COOKIE" in name}
        for site in (
            "https://play.example.org",
            "https://play.example.org:8443",
            "http://play.example.org",
            "http://play.example.org:8000",
            "http://play.example.org:8001",
        )
    ]
    assert named[0] == {"__Host-session", "__Host-csrf", "__Host-messages"}
    for names, other in combinations(named, 2):
        assert len(names) == 3 and not names & other


@pytest.mark.parametrize(
    ("given", "read_as"),
    [
        ("off", {}),
        ("OFF", {}),
        ("visitor:5, read:1,write:2", {"read": 1, "write": 2, "visitor": 5}),
        ("", {"read": 3, "write": 4, "visitor": 7}),
    ],
)
def test_limits_are_numbers_by_name_or_off(
    monkeypatch: pytest.MonkeyPatch, given: str, read_as: dict[str, int]
) -> None:
    monkeypatch.setenv("API_LIMITS", given)
    env = Environment()
    assert env.rates("API_LIMITS", default="read:3,write:4,visitor:7") == read_as
    env.raise_if_wrong()


@pytest.mark.parametrize(
    "given", ["read:1", "read:1,write:2,visitor:0", "read:1,write:2,visitor:x", "1", "no"]
)
def test_other_limits_are_reported(monkeypatch: pytest.MonkeyPatch, given: str) -> None:
    monkeypatch.setenv("API_LIMITS", given)
    env = Environment()
    env.rates("API_LIMITS", default="read:3,write:4,visitor:7")
    with pytest.raises(WrongEnvironment, match="API_LIMITS is neither off nor numbers"):
        env.raise_if_wrong()


def test_a_name_of_a_mail_server_has_no_blanks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAIL_AUTHSERV_ID", "mx.example.org other")
    env = Environment()
    assert env.word("MAIL_AUTHSERV_ID") == ""
    with pytest.raises(WrongEnvironment, match="MAIL_AUTHSERV_ID must not contain blanks"):
        env.raise_if_wrong()
