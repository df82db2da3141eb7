"""Reading in a limited child process: what a message does to its reader, it does there alone.

A light process (child_server) forks once a message: no message meets what another left, and no
interpreter has to be started. It has neither our environment nor our open files, and answers in
JSON. Measured on two busy cores, in CPU time: 0.2 s to start, and 7 to 10 ms a message, of which
reading it takes one, the fork and what it copies the rest.
"""

import os
import select
import struct
import subprocess
import sys
import threading
from pathlib import Path

from games.mail.reading import wire
from games.mail.reading.limits import BROKEN, MAX_MESSAGE_BYTES, TOO_LARGE
from games.mail.reading.message import Reading, read_head

ROOT = Path(__file__).resolve().parents[3]
PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    "from games.mail.reading.child_server import serve; serve()"
)
# The server gives up a message long before; who is silent for so long is stopped or lost.
ANSWER_SECONDS = 30
ATTEMPTS = 2
LENGTH = struct.Struct(">I")


class ReaderLost(OSError):  # noqa: N818 - the message is as good as before; try again later.
    """The server could not be started, or died twice: no fault of the message."""


class _Server:
    """The server's process. One message at a time is with it."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.process: subprocess.Popen[bytes] | None = None

    def ask(self, question: bytes) -> bytes:
        """The answer to a question; whatever goes wrong ends the server."""
        with self.lock:
            try:
                process = self.process = self.process or _start()
                assert process.stdin and process.stdout  # noqa: S101 - they are pipes.
                process.stdin.write(question)
                process.stdin.flush()
                (length,) = LENGTH.unpack(_receive(process.stdout.fileno(), LENGTH.size))
                return _receive(process.stdout.fileno(), length)
            except BaseException:
                self.stop()
                raise

    def stop(self) -> None:
        """End the server; the next question starts another."""
        process, self.process = self.process, None
        if process:
            process.kill()
            process.communicate()


_server = _Server()


def _forget_server() -> None:
    # A fork of this process must neither use its pipes nor wait for a lock nobody will release.
    global _server
    _server = _Server()


os.register_at_fork(after_in_child=_forget_server)


def read_in_child(raw: bytes, max_bytes: int = MAX_MESSAGE_BYTES) -> Reading:
    """The reading of a message; one that kills or holds up its reader is "broken".

    Raises ReaderLost if there is nobody who could read it.
    """
    if len(raw) > max_bytes:
        return read_head(raw, TOO_LARGE)
    question = LENGTH.pack(len(raw)) + raw
    for _ in range(ATTEMPTS):
        try:
            answer = _server.ask(question)
        except (OSError, struct.error):
            continue
        return wire.load(answer) or read_head(raw, BROKEN)
    raise ReaderLost


def stop() -> None:
    """End the server of this process, if there is one."""
    with _server.lock:
        _server.stop()


def _start() -> subprocess.Popen[bytes]:
    # -I and -S: nothing but the standard library and this repository can be imported.
    return subprocess.Popen(  # noqa: S603 - our own program.
        [sys.executable, "-I", "-S", "-X", "utf8", "-c", PROGRAM, str(ROOT)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={},
        cwd="/",
        start_new_session=True,
    )


def _receive(source: int, size: int) -> bytes:
    chunks = []
    while size:
        ready, _, _ = select.select([source], [], [], ANSWER_SECONDS)
        chunk = os.read(source, size) if ready else b""
        if not chunk:
            raise ReaderLost
        chunks.append(chunk)
        size -= len(chunk)
    return b"".join(chunks)
