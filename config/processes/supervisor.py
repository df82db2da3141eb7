"""Process supervisor: starts child processes, restarts those that die, stops them all.

Children are forked from a process that has loaded all code: they start at once and share memory.
"""

import gc
import logging
import os
import select
import signal
import sys
import threading
import time
import traceback
from collections.abc import Callable

from django.db import connections

logger = logging.getLogger(__name__)

STOP_SECONDS = 15.0  # for a child to finish its work
# A child that ran for less than this failed at start, and is restarted after this delay.
RESTART_DELAY_SECONDS = 5.0

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Supervisor:
    """Supervises child processes; a context manager for the main thread of a process with no other.

    A service is a function that runs until its process gets a SIGTERM. Restarts are logged.
    """

    def __init__(self) -> None:
        self._services: dict[str, Callable[[], None]] = {}
        self._pids: dict[int, str] = {}
        self._started_at: dict[str, float] = {}
        self._due: dict[str, float] = {}  # services to restart, and when
        self._stopping = False
        # Every signal writes a byte.
        self._wake_read, self._wake_write = os.pipe()
        # Never written; a child reads its end when the parent has died.
        self._life_read, self._life_write = os.pipe()

    def __enter__(self) -> "Supervisor":
        for pipe in (self._wake_read, self._wake_write):
            os.set_blocking(pipe, False)
        signal.set_wakeup_fd(self._wake_write, warn_on_full_buffer=False)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in SIGNALS:
            signal.signal(number, self._stop)
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping = True
        for pid in self._pids:
            os.kill(pid, signal.SIGTERM)
        until = time.monotonic() + STOP_SECONDS
        while self._pids and time.monotonic() < until:
            self._sleep([], until)
            self._reap()
        for pid in self._pids:
            os.killpg(pid, signal.SIGKILL)

    def _stop(self, *_: object) -> None:
        self._stopping = True

    def start(self, name: str, service: Callable[[], None]) -> None:
        """Start a service, and restart it whenever it ends."""
        self._services[name] = service
        self._started_at[name] = time.monotonic()
        self._due.pop(name, None)
        self._pids[self._fork(service)] = name

    def finish(self, job: Callable[[], None], meanwhile: Callable[[], None] | None = None) -> bool:
        """Run a job in a child to its end; False if it failed or a signal stopped it.

        `meanwhile` is called in this process while the child runs.
        """
        pid = self._fork(job)
        if meanwhile is not None:
            meanwhile()
        while not self._stopping:
            ended, status = os.waitpid(pid, os.WNOHANG)
            if ended:
                return status == 0
            self._sleep([])
        os.kill(pid, signal.SIGTERM)
        os.waitpid(pid, 0)
        return False

    def run(self, until: int | None = None) -> bool:
        """Keep the services running until the file descriptor `until` is readable.

        Returns False if a signal stopped it before that.
        """
        while not self._stopping:
            ready = self._sleep(
                [] if until is None else [until], min(self._due.values(), default=None)
            )
            self._reap()
            for name in [name for name, due in self._due.items() if due <= time.monotonic()]:
                self.start(name, self._services[name])
            if ready:
                return True
        return False

    def end_with_parent(self, pid: int) -> None:
        """In a child: send SIGTERM to process `pid` if the parent is killed."""

        def wait() -> None:
            os.read(self._life_read, 1)
            os.kill(pid, signal.SIGTERM)

        threading.Thread(target=wait, name="parent", daemon=True).start()

    def _sleep(self, files: list[int], until: float | None = None) -> list[int]:
        pause = None if until is None else max(until - time.monotonic(), 0.0)
        ready, _, _ = select.select([self._wake_read, *files], [], [], pause)
        if self._wake_read in ready:
            os.read(self._wake_read, 4096)
            ready.remove(self._wake_read)
        return ready

    def _reap(self) -> None:
        for pid in list(self._pids):
            ended, status = os.waitpid(pid, os.WNOHANG)
            if not ended:
                continue
            name = self._pids.pop(pid)
            if self._stopping:
                continue
            code = os.waitstatus_to_exitcode(status)
            ending = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
            logger.warning("The %s %s and is restarted.", name, ending)
            now = time.monotonic()
            failed_at_start = now - self._started_at[name] <= RESTART_DELAY_SECONDS
            self._due[name] = now + RESTART_DELAY_SECONDS if failed_at_start else now

    def _fork(self, run: Callable[[], None]) -> int:
        # Database connections and buffered output must not be shared with the child.
        connections.close_all()
        sys.stdout.flush()
        sys.stderr.flush()
        # Collecting these objects again would only copy the shared memory.
        gc.freeze()
        pid = os.fork()
        if pid == 0:
            self._run_child(run)
        return pid

    def _run_child(self, run: Callable[[], None]) -> None:
        status = 1
        try:
            # Ctrl-C in a terminal must reach the parent only, which stops its children.
            os.setpgid(0, 0)
            signal.set_wakeup_fd(-1)
            for number in (*SIGNALS, signal.SIGCHLD):
                signal.signal(number, signal.SIG_DFL)
            for pipe in (self._life_write, self._wake_read, self._wake_write):
                os.close(pipe)
            run()
            status = 0
        except SystemExit as end:
            status = end.code if isinstance(end.code, int) else int(end.code is not None)
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(status)
