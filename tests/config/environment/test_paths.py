"""File paths may have any sign, also those to which a URL gives a meaning."""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest

from tests import databases, preloaded, tiers
from tests.config.keys.test_prepare import python
from tests.servers import missing, wait_for

ODD = "a b%20c#d?e@f:g ü+h&i;j$k"
PARTS = ("accounts", "config", "games", "lib", "locale", "static", "templates", "manage.py")


# The migrations and the hashes of static files take most of the time, wherever they lie.
@pytest.mark.soak
@pytest.mark.long
@pytest.mark.parametrize("whole", tiers.parameters((False, True), fast=(False,)))
def test_a_checkout_in_any_folder_works_and_writes_nowhere_else(
    tmp_path: Path, whole: bool
) -> None:
    checkout = tmp_path / ODD / "app"
    checkout.mkdir(parents=True)
    for part in PARTS:
        source = preloaded.ROOT / part
        copy = shutil.copytree if source.is_dir() else shutil.copy
        copy(source, checkout / part)
    database = checkout / "var" / "estafette.sqlite3"
    for command in (["collectstatic", "--noinput"], ["migrate"], ["backup", str(checkout / ODD)]):
        if command == ["migrate"] and not whole:
            databases.copy_sqlite(database)
        done = subprocess.run(
            [sys.executable, "manage.py", *command],
            cwd=checkout,
            env={"HASHED_STATIC": "true"} if whole else {},
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [ODD]
    assert [path.name for path in (tmp_path / ODD).iterdir()] == ["app"]
    assert {path.name for path in checkout.iterdir()} == {*PARTS, "var", ODD}
    assert database.stat().st_size > 0
    assert (checkout / "var" / "static" / "css" / "estafette.css").exists()
    assert (checkout / "var" / "static" / "staticfiles.json").exists() is whole
    (copy_of_database,) = (checkout / ODD).glob("estafette-*.sqlite3")
    assert copy_of_database.read_bytes().startswith(b"SQLite format 3")


SIGNS = [*" %#?@:;&+$=,~", "ü", "時", "file:"]


@pytest.mark.parametrize("sign", tiers.parameters(SIGNS, fast=(" ", "%", "?", "file:")))
def test_a_url_names_a_file_of_sqlite(tmp_path: Path, sign: str) -> None:
    code = "import json; from config import settings; print(json.dumps(settings.DATABASES))"
    file = f"/srv/{sign}/x{sign}.sqlite3"
    done = python("-c", code, VAR_DIR=str(tmp_path), DATABASE_URL=f"sqlite:///{quote(file)}")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["default"]["NAME"] == file


def test_a_relative_file_of_sqlite_is_no_url(tmp_path: Path) -> None:
    code = "import json; from config import settings; print(json.dumps(settings.DATABASES))"
    done = python("-c", code, VAR_DIR=str(tmp_path), DATABASE_URL="sqlite:///file:x%3Fmode=ro")
    assert json.loads(done.stdout)["default"]["NAME"] == f"{preloaded.ROOT}/file:x?mode=ro"


@pytest.fixture
def redis_socket() -> Iterator[Path]:
    """The Unix socket of a Redis server, in a folder with an odd name."""
    program = shutil.which("redis-server")
    if program is None:
        missing("Redis is not installed.")
    # The path of a Unix socket has at most 107 bytes, and pytest's folders are long.
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / ODD
        folder.mkdir()
        file = folder / "redis.sock"
        server = subprocess.Popen(
            [program, "--port", "0", "--unixsocket", str(file), "--save", ""],
            stdout=subprocess.DEVNULL,
            cwd=place,
        )
        try:
            wait_for(file.exists, "Redis should listen.")
            yield file
        finally:
            server.terminate()
            server.wait()


USED = """
import json
import django
django.setup()
from django.core.cache import cache
from config.celery import app
cache.set("a", "cached")
with app.connection_for_write() as connection:
    queue = connection.SimpleQueue("wake-ups")
    queue.put("a wake-up")
    print(json.dumps([cache.get("a"), queue.get(timeout=10).payload]))
"""


@pytest.mark.servers
def test_broker_and_cache_may_be_at_a_unix_socket(redis_socket: Path, tmp_path: Path) -> None:
    done = python(
        "-c",
        USED,
        DJANGO_SETTINGS_MODULE="config.settings",
        BROKER_URL=f"redis+socket://{quote(str(redis_socket))}?virtual_host=2",
        CACHE_URL=f"rediscache://{quote(str(redis_socket))}?db=3",
        VAR_DIR=str(tmp_path),
        SECRET_KEY="a key of more than 32 characters",
        SEAL_KEYS="a key of more than 32 characters",
    )
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == ["cached", "a wake-up"]


def test_the_listener_for_mail_may_be_at_a_unix_socket_of_any_name(tmp_path: Path) -> None:
    code = (
        "from config import settings; from games.mail.inbound import listener_address as l; "
        "print(l.parse(settings.MAIL_LISTEN).path)"
    )
    listen = f"lmtp:/run/{ODD}/mail.sock"
    done = python("-c", code, VAR_DIR=str(tmp_path), MAIL_LISTEN=listen)
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"/run/{ODD}/mail.sock\n"
