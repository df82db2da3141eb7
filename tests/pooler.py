"""PgBouncer for tests, as docs/running/processes.md configures it."""

import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from tests.preloaded import ROOT
from tests.servers import free_port, missing, wait_for_port


@contextmanager
def pooler(database_url: str) -> Iterator[str]:
    """The URL of a database behind a pooler with few connections."""
    if shutil.which("pgbouncer") is None:
        missing("There is no PgBouncer on this machine; Debian's package is pgbouncer.")
    # It does not run as root, and cannot read root's folders.
    folder = Path(tempfile.mkdtemp(prefix="estafette-pooler-"))
    folder.chmod(0o777)
    direct, port = urlsplit(database_url), free_port()
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
    try:
        wait_for_port(port)
        yield f"postgres://estafette:password@127.0.0.1:{port}/estafette"
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder, ignore_errors=True)
