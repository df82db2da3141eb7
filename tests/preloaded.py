"""Python programs that start as forks of a process which has the libraries imported already.

A run of the tests starts some three hundred interpreters of the service, and each would spend a
second or two on importing Django and Celery. What depends on the environment, settings and
everything built on them, is imported after the fork as always. A stack starts several programs with
one environment; these are forks of a process that has imported the service too (`for_service`).
A start from nothing (`up`, the web server) is tested with processes of its
own.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Sequence
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
# None of them reads the settings when it is imported, or it would say that there are none.
LIBRARIES = [
    "celery.app.amqp",
    "celery.app.builtins",
    "celery.app.control",
    "celery.app.events",
    "celery.app.log",
    "celery.apps.beat",
    "celery.apps.worker",
    "celery.backends.base",
    "celery.bin.celery",
    "celery.concurrency.thread",
    "celery.fixups.django",
    "celery.worker.consumer",
    "celery.worker.loops",
    "celery.worker.strategy",
    "csp.middleware",
    "css_inline",
    "django.contrib.auth.hashers",
    "django.contrib.sessions.middleware",
    "django.core.management.commands.check",
    "django.core.management.commands.migrate",
    "django.core.management.commands.shell",
    "django.core.servers.basehttp",
    "django.db.backends.postgresql.base",
    "django.db.backends.sqlite3.base",
    "django.db.migrations.executor",
    "django.forms.models",
    "django.middleware.csrf",
    "django.template.loader",
    "django.test.client",
    "django.views.generic",
    "dns.resolver",
    "environ",
    "fido2.server",
    "games.bots.registry",
    "games.rules.registry",
    "http_ece",
    "icalendar",
    "kombu.transport.filesystem",
    "kombu.transport.memory",
    "kombu.transport.redis",
    "py_vapid",
    "pydantic.networks",
    "pydantic.v1",
    "qrcode.main",
    "requests",
    "waitress.server",
    "whitenoise.middleware",
]
# With these, all modules of the service are imported, and nothing is connected or started.
SERVICE = ["config.urls", "config.web.wsgi", "config.celery"]
LENGTH_BYTES = 8  # before each request
PID_BYTES = 10  # the first message about a program; its exit code follows when it has ended


class Program:
    """A running program; as much of `subprocess.Popen` as tests need."""

    def __init__(self, pipe: socket.socket) -> None:
        self._exit_pipe = pipe
        self.returncode: int | None = None
        self.pid = int(pipe.recv(PID_BYTES, socket.MSG_WAITALL))

    def poll(self) -> int | None:
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        if self.returncode is None:
            self._exit_pipe.settimeout(timeout)
            try:
                self.returncode = int(self._exit_pipe.recv(64))
            except (BlockingIOError, TimeoutError):
                raise subprocess.TimeoutExpired(str(self.pid), timeout or 0) from None
            self._exit_pipe.close()
        return self.returncode

    def terminate(self) -> None:
        if self.poll() is None:
            os.kill(self.pid, signal.SIGTERM)

    def forget(self) -> None:
        """Do not wait for its exit code."""
        self._exit_pipe.close()


class Preloaded:
    """A process that has modules imported, and forks a program for each request over this line."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._lock = threading.Lock()

    def start(
        self, arguments: Sequence[str], environment: dict[str, str], out: Any, err: Any
    ) -> Program:
        """Start `python ARGUMENTS` at the root of the repository, in a session of its own."""
        return self._ask(arguments, environment, out.fileno(), err.fileno())

    def for_service(self, environment: dict[str, str]) -> "Preloaded":
        """A fork that has imported the service with this environment; its forks have the same."""
        line, theirs = socket.socketpair()
        with theirs, Path(os.devnull).open("wb") as nothing:
            fork = self._ask([], environment, nothing.fileno(), nothing.fileno(), theirs.fileno())
        fork.forget()
        return Preloaded(line)

    def _ask(
        self, arguments: Sequence[str], environment: dict[str, str], *descriptors: int
    ) -> Program:
        request = json.dumps([list(arguments), environment]).encode()
        pipe, theirs = socket.socketpair()
        with theirs, self._lock:
            sent = [theirs.fileno(), *descriptors]
            socket.send_fds(self._line, [len(request).to_bytes(LENGTH_BYTES, "big")], sent)
            self._line.sendall(request)
            # Its end of `pipe` must be there until it has come.
            return Program(pipe)

    def stop(self) -> None:
        """Let the process end; what it has started runs on."""
        self._line.close()


_preloaded: Preloaded | None = None
_starting = threading.Lock()


def libraries() -> Preloaded:
    """The process that has the libraries imported, and nothing of the service."""
    global _preloaded
    with _starting:
        if _preloaded is None:
            line, theirs = socket.socketpair()
            with theirs:
                process = subprocess.Popen(
                    [sys.executable, "-m", "tests.preloaded", str(theirs.fileno())],
                    cwd=ROOT,
                    # Celery reads this one when it is imported.
                    env={"PATH": os.environ["PATH"], "C_FORCE_ROOT": "true"},
                    pass_fds=[theirs.fileno()],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                )
            _preloaded = Preloaded(line)
            # Last the process is waited for, first its line is closed.
            atexit.register(process.wait)
            atexit.register(_preloaded.stop)
    return _preloaded


def start(arguments: Sequence[str], environment: dict[str, str], out: Any, err: Any) -> Program:
    """Start `python ARGUMENTS` with this environment; what it writes goes to these files."""
    return libraries().start(arguments, environment, out, err)


def run(
    arguments: Sequence[str], environment: dict[str, str], among: Preloaded | None = None
) -> "subprocess.CompletedProcess[str]":
    """Run `python ARGUMENTS` to its end, as a fork of that process, and keep what it writes."""
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as err:
        code = (among or libraries()).start(arguments, environment, out, err).wait()
        for file in (out, err):
            file.seek(0)
        return subprocess.CompletedProcess(list(arguments), code, out.read(), err.read())


# --- in the process that forks


def serve(line: socket.socket) -> tuple[list[str], dict[str, str]]:
    """Fork for each request, until there are no more; in the fork, what it is to become."""
    # What is imported by now stays: no fork needs to look through it for garbage.
    gc.collect()
    gc.freeze()
    while True:
        length, descriptors, _, _ = socket.recv_fds(line, LENGTH_BYTES, 4)
        _reap()
        if not length:
            sys.exit()
        request = b""
        expected = int.from_bytes(length, "big")
        while len(request) < expected:
            request += line.recv(expected - len(request))
        pipe, out, err, *more = descriptors
        if os.fork() == 0:
            line.close()
            _watch_over_the_fork(out, err, pipe, more)
            arguments, environment = json.loads(request)
            if more:
                _import_service(environment)
                return serve(socket.socket(fileno=more[0]))
            return arguments, environment
        for descriptor in descriptors:
            os.close(descriptor)


def _import_service(environment: dict[str, str]) -> None:
    """Import the service with this environment.

    If that fails, each fork tries it again and says why.
    """
    os.environ.clear()
    os.environ.update(environment)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    with suppress(Exception):
        importlib.import_module("django").setup()
        for name in SERVICE:
            importlib.import_module(name)


def _reap() -> None:
    with suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _watch_over_the_fork(out: int, err: int, pipe: int, more: Sequence[int]) -> None:
    """Fork once more and tell how that ends: a process that died is its parent's to be asked of."""
    if pid := os.fork():
        with closing(socket.socket(fileno=pipe)) as answer:
            answer.sendall(b"%10d" % pid)
            for descriptor in (out, err, *more):
                os.close(descriptor)
            code = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
            with suppress(OSError):  # Nobody may want to know any more.
                answer.sendall(b"%d" % code)
        os._exit(0)
    os.setsid()
    for descriptor, place in ((out, 1), (err, 2)):
        os.dup2(descriptor, place)
    for descriptor in (out, err, pipe):
        os.close(descriptor)


def become(arguments: list[str], environment: dict[str, str]) -> None:
    """Run what `python ARGUMENTS` would."""
    os.environ.clear()
    os.environ.update(environment)
    first, *rest = arguments
    if first == "-c":
        sys.argv = ["-c", *rest[1:]]
        exec(compile(rest[0], "<string>", "exec"), {"__name__": "__main__"})
    elif first == "-m":
        sys.argv = rest
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
    else:
        sys.argv = arguments
        runpy.run_path(first, run_name="__main__")


if __name__ == "__main__":
    for name in LIBRARIES:
        importlib.import_module(name)
    become(*serve(socket.socket(fileno=int(sys.argv[1]))))
