"""What the environment says, and what it leaves open, as a process of its own reads it."""

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from tests import preloaded

SHOWN = """
import json
from config import settings
names = ("ALLOWED_HOSTS", "STAFF_NEEDS_MFA", "BOUNCES", "MAIL_DOMAIN", "CELERY_BROKER_URL")
shown = {name: getattr(settings, name) for name in names}
print(json.dumps(shown | {"engine": settings.DATABASES["default"]["ENGINE"]}))
"""
SOURCE = (preloaded.ROOT / "config" / "settings.py").read_text()
NAMES = re.findall(r'env(?:\.\w+)?\("([A-Z_]+)"', SOURCE)


def read(folder: Path, **given: str) -> Any:
    """The settings of a process whose environment says this and nothing else of ours."""
    kept = {name: value for name, value in os.environ.items() if name not in NAMES}
    environment = kept | {"VAR_DIR": str(folder)} | given
    told = preloaded.run(["-c", SHOWN], environment)
    assert told.returncode == 0, told.stderr
    return json.loads(told.stdout)


@pytest.mark.parametrize("name", NAMES)
def test_every_name_is_told_of(name: str) -> None:
    assert f"`{name}`" in (preloaded.ROOT / "docs" / "running" / "settings.md").read_text()


def test_an_empty_value_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    assert read(tmp_path, **{name: "" for name in NAMES if name != "VAR_DIR"}) == read(tmp_path)


@pytest.mark.parametrize("more", ["play.example.net", "play.example.net,www.example.net"])
def test_further_hosts_come_to_the_sites_own(tmp_path: Path, more: str) -> None:
    told = read(tmp_path, SITE_URL="https://play.example.org", ALLOWED_HOSTS=more)
    assert told["ALLOWED_HOSTS"] == [
        *("play.example.org", "localhost", "127.0.0.1", "[::1]"),
        *more.split(","),
    ]


def test_a_value_may_lie_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "domain").write_text("letters.example.org\n")
    told = read(tmp_path, MAIL_DOMAIN_FILE=str(tmp_path / "domain"), MAIL_DOMAIN="")
    assert told["MAIL_DOMAIN"] == "letters.example.org"
