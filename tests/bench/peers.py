"""boardgame.io with its PostgreSQL store, from the npm registry, where Node is there to run it."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.servers import Postgres, free_port

FOLDER = Path(__file__).parent / "peer"
INSTALL = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--loglevel=error"]


class Peer:
    def __init__(self, port: int, environment: dict[str, str]) -> None:
        self._port, self._environment = port, environment

    def moves_a_second(self, clients: int, moves: int) -> float:
        """This many clients play the same number of moves each, every client in its own match."""
        command = ["node", "client.js", *map(str, (self._port, clients, moves))]
        done = subprocess.run(
            command, cwd=FOLDER, env=self._environment, check=True, capture_output=True, text=True
        )
        return clients * moves / float(done.stdout)


@contextmanager
def boardgame_io(server: Postgres) -> Iterator[Peer | None]:
    """The peer on a database of that server, or none where it cannot be installed."""
    with tempfile.TemporaryDirectory(prefix="estafette-peer-") as folder:
        if not _install(Path(folder)):
            yield None
            return
        port = free_port()
        environment = os.environ | {"NODE_PATH": f"{folder}/node_modules", "NODE_ENV": "production"}
        process = subprocess.Popen(
            ["node", "server.js", str(port), server.create("peer", "template1")],
            cwd=FOLDER,
            env=environment,
            stdout=subprocess.PIPE,
            text=True,
        )
        try:
            assert process.stdout is not None
            yield Peer(port, environment) if "ready\n" in process.stdout else None
        finally:
            process.terminate()
            process.wait()


def _install(folder: Path) -> bool:
    if not (shutil.which("node") and shutil.which("npm")):
        return False
    shutil.copy(FOLDER / "package.json", folder)
    return subprocess.run(INSTALL, cwd=folder, capture_output=True, timeout=300).returncode == 0
