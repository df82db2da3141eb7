"""The service behind PgBouncer in transaction mode, as docs/running/processes.md configures it."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from pathlib import Path
from urllib.parse import urlencode, urlsplit
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from tests.preloaded import ROOT
from tests.servers import Postgres, free_port, missing, wait_for_port
from tests.stack import Stack

pytestmark = pytest.mark.servers

VISITORS, LOG_INS = 4, 24  # no more at once than guesses are tried at one account
ADD_ANN = """
from accounts.models import User
User.objects.create_confirmed("Annabel", "ann@example.org", "troop of foxes")
"""


@pytest.fixture
def pooled(postgres: Postgres) -> Iterator[str]:
    """The URL of a new database behind a pooler with few connections."""
    if shutil.which("pgbouncer") is None:
        missing("There is no PgBouncer on this machine; Debian's package is pgbouncer.")
    # It does not run as root, and cannot read root's folders.
    folder = Path(tempfile.mkdtemp(prefix="estafette-pooler-"))
    folder.chmod(0o777)
    direct, port = urlsplit(postgres.create("pooled")), free_port()
    documented = (ROOT / "docs" / "running" / "processes.md").read_text()
    sample = re.search(r"( {4}\[databases\]\n(?: {4}.*\n)+)", documented)
    assert sample is not None
    config = re.sub(r"^ {4}", "", sample[1], flags=re.MULTILINE)
    database = f"port={direct.port} dbname={direct.path[1:]} user=estafette"
    config = config.replace("port=5432 dbname=estafette", database)
    config = config.replace("default_pool_size = 20", "default_pool_size = 4")
    config = config.replace("listen_port = 6432", f"listen_port = {port}")
    users = folder / "userlist.txt"
    users.write_text('"estafette" "password"\n')
    users.chmod(0o644)
    config = config.replace("/etc/pgbouncer/userlist.txt", str(users))
    file = folder / "pgbouncer.ini"
    file.write_text(f"{config}\nunix_socket_dir =\nlogfile = {folder}/log\n")
    user = ["-u", "postgres"] if Path.home() == Path("/root") else []
    process = subprocess.Popen(["pgbouncer", *user, str(file)], stderr=subprocess.DEVNULL)
    wait_for_port(port)
    yield f"postgres://estafette:password@127.0.0.1:{port}/estafette"
    process.terminate()
    process.wait()
    shutil.rmtree(folder, ignore_errors=True)


def test_all_clients_are_served_behind_a_pooler(pooled: str) -> None:
    with Stack(
        database_url=pooled, web=2, workers=1, beat=0, extra={"TRANSACTION_POOLING": "true"}
    ) as service:
        service.shell(ADD_ANN)

        def log_in(number: int) -> list[int]:
            base = service.url(f"web{number % 2 + 1}")
            opener = build_opener(HTTPCookieProcessor(CookieJar()))
            page = opener.open(f"{base}account/login/").read().decode()
            token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', page)
            assert token is not None
            form = {
                "csrfmiddlewaretoken": token[1],
                "login": "Annabel",
                "password": "troop of foxes",
            }
            answers = [opener.open(f"{base}account/login/", urlencode(form).encode())]
            answers += [opener.open(f"{base}{path}") for path in ("", "lobby/", "notifications/")]
            return [answer.status for answer in answers]

        with ThreadPoolExecutor(VISITORS) as visitors:
            statuses = [
                status for found in visitors.map(log_in, range(LOG_INS)) for status in found
            ]
        assert statuses == [200] * 4 * LOG_INS
