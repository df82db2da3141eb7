"""Named pipes that wake the workers of one machine as soon as the file broker has a message.

Each process that waits for messages reads a pipe of its own in VAR_DIR/broker/pipes. A process
that stores a message writes a byte to every pipe there. A byte means "look", so any may be
lost or doubled.
"""

import errno
import os
import select
import threading
import time
from contextlib import suppress
from pathlib import Path
from uuid import uuid4

# Without a pipe, this is how long a message waits. docs/running/processes.md has its cost.
POLL_SECONDS = 0.15
# With a pipe, a look now and then covers a byte that was lost.
SLOW_POLL_SECONDS = 1.0

_NON_BLOCKING = getattr(os, "O_NONBLOCK", 0)


def wake_all(folder: Path) -> None:
    """Wake every process that waits in this folder, and remove the pipes of those that died."""
    try:
        names = os.listdir(folder)  # noqa: PTH208 -- it runs with every message
    except OSError:
        return
    for name in names:
        path = folder / name
        try:
            # Nothing here may block: neither a pipe that nobody reads nor one that is full.
            descriptor = os.open(path, os.O_WRONLY | _NON_BLOCKING)
        except OSError as error:
            if error.errno == errno.ENXIO:  # nobody reads it
                path.unlink(missing_ok=True)
            continue
        with suppress(OSError):
            os.write(descriptor, b"!")
        os.close(descriptor)


class WakeUpPipe:
    """The pipe of one process, which only one thread may wait for; any thread may call `wake`."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / uuid4().hex
        self._ends: tuple[int, ...] = ()  # the end to read, the end to write
        self._lock = threading.Lock()

    def wait(self, most: float) -> None:
        """Sleep until somebody wakes this process, and for at most `most` seconds.

        May return early, for no reason or to have the broker polled.
        """
        if not self._opened():
            time.sleep(min(most, POLL_SECONDS))
            return
        ready, _, _ = select.select(self._ends[:1], [], [], min(most, SLOW_POLL_SECONDS))
        if ready:
            with suppress(OSError):
                os.read(self._ends[0], 65_536)

    def wake(self) -> None:
        """Have `wait` return, at once or the next time that it is called."""
        # The other thread may be closing the pipe.
        with self._lock, suppress(OSError):
            for end in self._ends[1:]:
                os.write(end, b"!")

    def close(self) -> None:
        """Remove the pipe. `wait` would create it again."""
        with self._lock:
            if self._ends:
                for end in self._ends:
                    os.close(end)
                self._ends = ()
                with suppress(OSError):
                    self._path.unlink()

    def _opened(self) -> bool:
        """Whether the pipe is there. One that somebody has deleted is created again."""
        if self._ends and self._path.exists():
            return True
        self.close()
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            os.mkfifo(self._path, 0o600)
            read = os.open(self._path, os.O_RDONLY | _NON_BLOCKING)
            # While this process writes too, its end never says that all writers have gone.
            write = os.open(self._path, os.O_WRONLY | _NON_BLOCKING)
        except (OSError, AttributeError):  # a system, a disk or a full disk without pipes
            return False
        with self._lock:
            self._ends = (read, write)
        return True
