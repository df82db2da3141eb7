"""Real servers for tests, each on a free port of this machine and gone with the test that asked."""

import asyncio
import contextlib
import logging
import os
import secrets
import shutil
import signal
import socket
import socketserver
import subprocess
import tempfile
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NoReturn

import psycopg
import pytest
import redis
from aiosmtpd.controller import Controller

from tests import databases

MIGRATED = "migrated"  # the database of a cluster that others are copied from

BROWSERS = "chromium", "chromium-browser", "google-chrome"

# It would log every line.
logging.getLogger("mail.log").setLevel(logging.WARNING)


def missing(reason: str) -> NoReturn:
    """Skip the test since a server is missing, or fail if REQUIRE_SERVERS says that all exist."""
    if os.environ.get("REQUIRE_SERVERS"):
        pytest.fail(reason, pytrace=False)
    pytest.skip(reason)


def chromium_path() -> str | None:
    """The path of a browser that may be driven; None if there is none."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def serve(server: socketserver.BaseServer) -> None:
    """Have it serve in a thread until its `shutdown`, which need not wait for long."""
    # Left to itself, it would look twice a second whether it is to stop.
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()


def wait_for(condition: Callable[[], Any], what: str, seconds: float = 60.0) -> Any:
    """The first true value of `condition`, asked every twentieth of a second."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        with contextlib.suppress(OSError, psycopg.OperationalError, redis.ConnectionError):
            if value := condition():
                return value
        time.sleep(0.05)
    raise TimeoutError(f"Waited {seconds:.0f} s in vain: {what}")


def wait_for_port(port: int) -> None:
    """Wait until something listens at this port."""

    def listens() -> bool:
        socket.create_connection(("127.0.0.1", port)).close()
        return True

    wait_for(listens, f"Something should listen at port {port}.")


class Postgres:
    """A separate cluster. Unless it is `durable`, it flushes nothing to the disk: only a dead
    machine would miss it. One that is not `bare` has a database with all tables, to be copied.
    `settings` are further ones of postgresql.conf."""

    def __init__(
        self,
        where: Path | None = None,
        *,
        durable: bool = False,
        bare: bool = False,
        address: str = "127.0.0.1",
        settings: Mapping[str, str] | None = None,
    ) -> None:
        self.port, self.address = free_port(), address
        self._settings = settings or {}
        self._fsync = "on" if durable else "off"
        self.folder = Path(tempfile.mkdtemp(prefix="estafette-postgres-", dir=where))
        # It refuses to run as root.
        self._user: dict[str, Any] = {}
        if os.geteuid() == 0:
            self._user = {"user": "postgres", "group": "postgres"}
            shutil.chown(self.folder, "postgres", "postgres")
        self._process: subprocess.Popen[bytes] | None = None
        if bare:
            options = ["-D", "data", "-U", "estafette", "-A", "trust", "-E", "UTF8", "--no-sync"]
            self._run("initdb", *options, "--locale=C.UTF-8")
        else:
            # With owners, modes and times, and quicker than a cluster is made.
            data = databases.once("postgres", make_cluster)
            subprocess.run(["cp", "-a", str(data), str(self.folder / "data")], check=True)
            with (self.folder / "data" / "pg_hba.conf").open("a") as access:
                access.write(f"host all all {address}/24 trust\n")

    @staticmethod
    def programs() -> Path | None:
        """The newest installation's folder of programs, or none."""
        if on_path := shutil.which("postgres"):
            return Path(on_path).resolve().parent
        versions = Path("/usr/lib/postgresql").glob("*/bin")
        return max(versions, key=lambda folder: int(folder.parent.name), default=None)

    def command(self, program: str, *options: str) -> list[str]:
        """One of the installation's programs, to be run."""
        folder = self.programs()
        assert folder is not None
        return [str(folder / program), *options]

    def _run(self, program: str, *options: str) -> None:
        command = self.command(program, *options)
        subprocess.run(command, cwd=self.folder, check=True, capture_output=True, **self._user)

    def start(self) -> None:
        options = {"listen_addresses": self.address, "port": self.port, "fsync": self._fsync}
        options |= {"unix_socket_directories": "", "max_connections": 200, **self._settings}
        switches = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self.command("postgres", "-D", "data", *switches),
                cwd=self.folder,
                stdout=log,
                stderr=log,
                **self._user,
            )
        wait_for(self._answers, "PostgreSQL should answer.")

    def _answers(self) -> bool:
        self.connect().close()
        return True

    def is_alive(self) -> bool:
        return self._process is not None and self._process.poll() is None

    @property
    def pid(self) -> int:
        """Of the postmaster, whose children do the work."""
        assert self._process is not None
        return self._process.pid

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        return psycopg.connect(self.url(database), autocommit=True)

    def url(self, database: str) -> str:
        return f"postgres://estafette@{self.address}:{self.port}/{database}"

    def create(self, prefix: str, template: str = MIGRATED) -> str:
        """The URL of a new database whose name begins so; it has the service's tables."""
        database = f"{prefix}_{secrets.token_hex(4)}"
        statement = f'CREATE DATABASE "{database}" TEMPLATE "{template}"'
        with self.connect() as connection:
            connection.execute(statement)
        return self.url(database)

    def kill(self) -> None:
        """Kill it with SIGKILL, with all processes that it has started."""
        assert self._process is not None
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
        for pid in (self._process.pid, *map(int, children.split())):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        self._process.wait()

    def stop(self) -> None:
        if self._process is not None:
            # At once, without waiting for its clients.
            self._process.send_signal(signal.SIGQUIT)
            self._process.wait()
        shutil.rmtree(self.folder, ignore_errors=True)

    def give_up(self, place: Path) -> None:
        """Stop normally, and keep all data."""
        assert self._process is not None
        self._process.send_signal(signal.SIGINT)
        self._process.wait()
        shutil.move(self.folder / "data", place)
        shutil.rmtree(self.folder)


def make_cluster(place: Path) -> None:
    """A cluster's data, with a database that has all tables."""
    server = Postgres(bare=True)
    try:
        server.start()
        with server.connect() as connection:
            connection.execute(f"CREATE DATABASE {MIGRATED}")
        databases.migrate(server.url(MIGRATED))
        server.give_up(place)
    except BaseException:
        server.stop()
        raise


class Redis:
    """It stores nothing on disk: a broker's messages are lost when it is killed."""

    def __init__(self, address: str = "127.0.0.1") -> None:
        self.port, self.address = free_port(), address
        self.url = f"redis://{address}:{self.port}/0"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = {"port": self.port, "bind": self.address, "save": "", "appendonly": "no"}
        options |= {"protected-mode": "no"}
        switches = [part for name, value in options.items() for part in (f"--{name}", str(value))]
        self._process = subprocess.Popen(
            ["redis-server", *switches], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        wait_for(self.client().ping, "Redis should answer.")

    @property
    def pid(self) -> int:
        assert self._process is not None
        return self._process.pid

    def client(self) -> "redis.Redis":
        return redis.Redis.from_url(self.url)

    def kill(self) -> None:
        assert self._process is not None
        self._process.kill()
        self._process.wait()

    stop = kill


class SmtpSink:
    """A mail server that keeps what it gets, in one of several moods.

    `mood`: "accept"; "refuse" (550 to every recipient); "busy" (451); "cut" (takes the e-mail and
    breaks off without an answer) and "cut once". `answer`: to each e-mail that it takes in whole;
    `delay`: the seconds before that. `to_mail` and `to_rcpt`: answers to these commands, and
    `unknown`: recipients that it says it does not know. An answer may have several lines, each with
    its code. `options` are those of aiosmtpd: TLS and log-in.
    """

    def __init__(self, **options: Any) -> None:
        self.port = free_port()
        self.url = f"smtp://127.0.0.1:{self.port}"
        self.mood = "accept"
        self.to_mail = self.to_rcpt = self.answer = "250 OK"
        self.unknown: set[str] = set()
        self.options = options
        self.delay = 0.0
        self.emails: list[bytes] = []  # all that came in whole, answered or not
        self.senders: list[str] = []  # of their envelopes
        self.taken: list[bytes] = []  # those that were answered with 250
        self.connections = 0
        self._controller: Controller | None = None

    def start(self) -> None:
        self._controller = Controller(self, hostname="127.0.0.1", port=self.port, **self.options)
        self._controller.start()

    def stop(self) -> None:
        if self._controller is not None:
            self._controller.stop()
            self._controller = None

    async def handle_EHLO(  # noqa: N802 -- aiosmtpd names these.
        self, server: Any, session: Any, envelope: Any, hostname: str, responses: list[str]
    ) -> list[str]:
        session.host_name = hostname
        self.connections += 1
        return responses

    async def handle_MAIL(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if self.to_mail.startswith("250"):
            envelope.mail_from = address
        return self.to_mail

    async def handle_RCPT(  # noqa: N802
        self, server: Any, session: Any, envelope: Any, address: str, options: list[str]
    ) -> str:
        if self.mood == "refuse" or address in self.unknown:
            return "550 5.1.1 No such mailbox"
        if self.mood == "busy":
            return "451 4.3.0 Try again later"
        if self.to_rcpt.startswith("250"):
            envelope.rcpt_tos.append(address)
        return self.to_rcpt

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802
        self.emails.append(envelope.content)
        self.senders.append(envelope.mail_from)
        await asyncio.sleep(self.delay)
        if self.mood in ("cut", "cut once"):
            server.transport.abort()
            self.mood = "cut" if self.mood == "cut" else "accept"
        elif self.answer.startswith("250"):
            self.taken.append(envelope.content)
        return self.answer
