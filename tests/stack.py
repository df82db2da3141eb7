"""The real service in separate processes, which a test can kill and restart."""

import os
import shutil
import signal
import sqlite3
import subprocess
import tempfile
import urllib.request
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import psycopg
from django.db.models import QuerySet

from config.keys.key_files import KEYS
from tests import preloaded
from tests.databases import copy_sqlite, once
from tests.servers import free_port, wait_for

DATABASE = "estafette.sqlite3"  # the embedded one, in the folder of the service
LAST_LINES = 40  # of the log of a process, to explain a failure
# What each kind writes when it is up.
SIGNS = {
    "worker": "ready.",
    "house": "ready.",
    "beat": "beat: Starting",
    "mail": "Listening for mail",
}
CELERY = ["-m", "celery", "-A", "config"]
HOUSE = ["-P", "threads", "-c", "1", "-Q", "bots"]  # of a worker that thinks for the house


class Stack:
    """So many web servers, workers and beats, by the names web1, worker1, worker2, beat1 ...

    With `mail` something listens for mail at `mail_port`, by the name mail1. With `house` so many
    workers answer for the house, house1, house2 ... Each worker runs `slots` tasks at a time, and
    each web server has `processes` processes.

    `database_url`, `broker_url` and `email_url` are the service's environment; none stands for the
    embedded default. A database that is named has its tables already (`Postgres.create`). With
    `demo` the embedded one has the demo's users and matches. `extra` adds to the environment. Used
    as a context, it is up inside and gone after.
    """

    def __init__(
        self,
        *,
        database_url: str | None = None,
        broker_url: str | None = None,
        email_url: str | None = None,
        web: int = 1,
        processes: int = 1,
        workers: int = 1,
        beat: int = 1,
        mail: bool = False,
        house: int = 0,
        pool: str = "threads",
        slots: int = 2,
        demo: bool = False,
        extra: dict[str, str] | None = None,
    ) -> None:
        self.var = Path(tempfile.mkdtemp(prefix="estafette-stack-"))
        urls = {"DATABASE_URL": database_url, "BROKER_URL": broker_url, "EMAIL_URL": email_url}
        taken = {*urls, "PYTEST_CURRENT_TEST"}
        self.environment = {name: value for name, value in os.environ.items() if name not in taken}
        self.environment |= {name: value for name, value in urls.items() if value}
        self.environment |= {"VAR_DIR": str(self.var), "C_FORCE_ROOT": "true"}
        self.environment |= {"DEMO": "true"} if demo else {}
        self.environment |= extra or {}
        self._ports = {f"web{number}": free_port() for number in range(1, web + 1)}
        worker = [*CELERY, "worker", "-P", pool, "-c", str(slots), "-l", "INFO"]
        self._commands = {name: self._serve(port, processes) for name, port in self._ports.items()}
        for number in range(1, workers + 1):
            self._commands[f"worker{number}"] = [*worker, "-n", f"worker{number}@%h"]
        for number in range(1, house + 1):
            self._commands[f"house{number}"] = [
                *(*CELERY, "worker", *HOUSE, "-l", "INFO"),
                *("-n", f"house{number}@%h"),
            ]
        for number in range(1, beat + 1):
            self._commands[f"beat{number}"] = [*CELERY, "beat", "-l", "INFO"]
        self.mail_port = free_port()
        if mail:
            self.environment["MAIL_LISTEN"] = f"smtp://127.0.0.1:{self.mail_port}"
            self._commands["mail1"] = ["manage.py", "listen_mail"]
        self._processes: dict[str, preloaded.Program] = {}
        self._ready: preloaded.Preloaded | None = None
        self._ready_with: dict[str, str] = {}
        self.ended: list[str] = []  # what ended by itself, and the last lines that it wrote
        if demo:
            shutil.copytree(once("demo", write_demo), self.var, dirs_exist_ok=True)
        elif database_url is None:
            copy_sqlite(self.var / DATABASE)

    @staticmethod
    def _serve(port: int, processes: int) -> list[str]:
        return ["manage.py", "serve", "--port", str(port), "--processes", str(processes)]

    def __enter__(self) -> "Stack":
        try:
            self.manage("prepare")
            for name in self._commands:
                self.start(name)
            for name in self._commands:
                self.wait_until_up(name)
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def attempt(self, *arguments: str) -> "subprocess.CompletedProcess[str]":
        """`manage.py` with these arguments, run to its end, whatever that is."""
        return preloaded.run(["manage.py", *arguments], self.environment, self._preloaded())

    def manage(self, *arguments: str) -> str:
        """What `manage.py` with these arguments writes; it must succeed."""
        done = self.attempt(*arguments)
        if done.returncode:
            raise RuntimeError(f"manage.py {arguments[0]} failed:\n{done.stderr}")
        return done.stdout

    def shell(self, code: str) -> str:
        """What this code writes, run next to the service with its settings and its database."""
        return self.manage("shell", "--no-imports", "-c", code)

    def ask(self, question: QuerySet[Any, Any]) -> list[tuple[Any, ...]]:
        """The rows that the service's own database has; many times quicker than `shell`."""
        statement, parameters = question.query.sql_with_params()
        url = self.environment.get("DATABASE_URL")
        if url is None:
            with closing(sqlite3.connect(self.var / DATABASE)) as connection:
                return connection.execute(statement.replace("%s", "?"), parameters).fetchall()
        with psycopg.connect(url) as connection:
            return connection.execute(statement, parameters).fetchall()

    def start(self, name: str) -> None:
        with self.log(name).open("ab") as log:
            command = self._commands[name]
            self._processes[name] = self._preloaded().start(command, self.environment, log, log)

    def _preloaded(self) -> preloaded.Preloaded:
        """The process that each program of the service is a fork of."""
        # It would start threads, which no fork has, if it reported errors.
        if "SENTRY_DSN" in self.environment:
            return preloaded.libraries()
        if self._ready is None or self._ready_with != self.environment:
            self.forget()
            self._ready = preloaded.libraries().for_service(self.environment)
            self._ready_with = dict(self.environment)
        return self._ready

    def forget(self) -> None:
        if self._ready is not None:
            self._ready.stop()
        self._ready = None

    def wait_until_up(self, name: str) -> None:
        try:
            wait_for(lambda: self._is_up(name), f"{name} should be up.", 120)
        except Exception as error:
            raise RuntimeError(f"{error}\n{self.log(name).read_text()[-4000:]}") from None

    def _is_up(self, name: str) -> bool:
        if self._processes[name].poll() is not None:
            raise RuntimeError(f"{name} has ended.")
        if name in self._ports:
            with urllib.request.urlopen(self.url(name), timeout=30) as answer:
                return bool(answer.status < 500)
        kind = name.rstrip("0123456789")
        return SIGNS[kind] in self.log(name).read_text()

    def url(self, name: str = "web1") -> str:
        return f"http://127.0.0.1:{self._ports[name]}/"

    def log(self, name: str) -> Path:
        return self.var / f"{name}.log"

    def pid(self, name: str) -> int:
        return self._processes[name].pid

    def kill(self, name: str) -> None:
        """Kill it with SIGKILL, and all processes that it has started."""
        with suppress(ProcessLookupError):
            os.killpg(self.pid(name), signal.SIGKILL)
        self._processes[name].wait()

    def revive(self) -> None:
        """Restart what has ended by itself, as a supervisor would, and record it in `ended`."""
        for name, process in self._processes.items():
            if process.poll() is not None:
                lines = self._last_lines(name)
                self.ended.append(f"{name} ended by itself ({process.returncode}): {lines}")
                self.start(name)
                self.wait_until_up(name)

    def restart(self, name: str) -> None:
        """Kill it and start it again, and wait until it is up."""
        self.kill(name)
        self.log(name).unlink()
        self.start(name)
        self.wait_until_up(name)

    def stop(self) -> None:
        for process in self._processes.values():
            if process.poll() is None:
                process.terminate()
        for name, process in self._processes.items():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                self.kill(name)
        for name in self._processes:
            print(f"--- the last lines of {name}:\n{self._last_lines(name)}")  # if the test failed
        self.forget()
        shutil.rmtree(self.var, ignore_errors=True)

    def _last_lines(self, name: str) -> str:
        lines = self.log(name).read_text(errors="replace").splitlines()
        return "\n".join(lines[-LAST_LINES:])


def write_demo(folder: Path) -> None:
    """Put the demo's database there, and the keys that its secrets are sealed with."""
    with Stack(web=0, workers=0, beat=0, extra={"DEMO": "true"}) as service:
        service.manage("demo")
        folder.mkdir()
        for file in (DATABASE, *(file for file, _ in KEYS.values())):
            shutil.copy(service.var / file, folder)
