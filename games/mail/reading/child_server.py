"""Server of read_in_child: a fork for each message, with limits of CPU time and memory.

Messages come in on standard input and answers go out on standard output, each behind its length.
An answer of no bytes means that the fork died or took too long.
"""

import gc
import os
import resource
import select
import signal
import struct
import sys
from pathlib import Path

from games.mail.reading import wire
from games.mail.reading.charsets import CODECS
from games.mail.reading.message import read

CPU_SECONDS = 2
WALL_SECONDS = 10  # a busy machine may let it wait, and nothing in it sleeps
MEMORY_BYTES = 256 * 1024 * 1024  # beyond what the server has itself
MAX_ANSWER_BYTES = 16 * 1024 * 1024
OPEN_FILES = 32
CHUNK_BYTES = 1024 * 1024
LENGTH = struct.Struct(">I")

# Read once before the first fork, so that none has to import what the parser takes on its way.
SAMPLE = (
    b"From: a@example.org\nSubject: =?utf-8?b?YQ==?=\n"
    b"Content-Type: multipart/mixed; boundary=b\n\n"
    b"--b\nContent-Transfer-Encoding: base64\n\nYQ==\n"
    b"--b\nContent-Type: text/html; charset*=utf-8''utf-8\n"
    b"Content-Transfer-Encoding: quoted-printable\n\n<p>&amp;=20a</p>\n--b--\n"
)


def serve() -> None:
    """Answer until standard input ends."""
    source, target = sys.stdin.buffer, sys.stdout.buffer
    _warm_up()
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        raw = source.read(length)
        if len(raw) < length:
            return
        answer = _answer(raw)
        target.write(LENGTH.pack(len(answer)) + answer)
        target.flush()


def _answer(raw: bytes) -> bytes:
    """What a fork reads off a message; nothing if it dies."""
    receiver, sender = os.pipe()
    fork = os.fork()
    if not fork:
        os.close(receiver)
        _read_and_exit(raw, sender)
    os.close(sender)
    answer = _receive(receiver)
    os.close(receiver)
    if answer is None:
        os.kill(fork, signal.SIGKILL)
    _, status = os.waitpid(fork, 0)
    return answer if answer and not status else b""


def _receive(source: int) -> bytes | None:
    """All that a fork writes; None if it is silent for too long or does not come to an end."""
    chunks: list[bytes] = []
    size = 0
    while size <= MAX_ANSWER_BYTES:
        ready, _, _ = select.select([source], [], [], WALL_SECONDS)
        if not ready:
            return None
        chunk = os.read(source, CHUNK_BYTES)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        size += len(chunk)
    return None


def _read_and_exit(raw: bytes, target: int) -> None:
    status = 1
    try:
        # Of the server's pipes the fork has none.
        os.close(0)
        os.close(1)
        _limit()
        answer = wire.dump(read(raw, len(raw)))
        while answer:
            answer = answer[os.write(target, answer) :]
        status = 0
    finally:
        os._exit(status)


def _limit() -> None:
    """Lower the limits of this process for good."""
    signal.alarm(WALL_SECONDS)
    limits = {
        resource.RLIMIT_CPU: CPU_SECONDS,
        resource.RLIMIT_AS: _memory_in_use() + MEMORY_BYTES,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: OPEN_FILES,
    }
    for limit, value in limits.items():
        _, most = resource.getrlimit(limit)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(limit, (value, value))


def _memory_in_use() -> int:
    """The address space of this process."""
    pages = Path("/proc/self/statm").read_bytes().split()[0]
    return int(pages) * resource.getpagesize()


def _warm_up() -> None:
    for codec in set(CODECS.values()):
        b"a".decode(codec, "replace")
    wire.dump(read(SAMPLE, len(SAMPLE)))
    # A fork that collected garbage would copy the pages of all that it has from the server.
    gc.disable()
    gc.freeze()
