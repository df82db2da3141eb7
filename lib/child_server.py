"""Server in a sandboxed child process: forks for each question, and the fork reaches nothing else.

Reads questions from standard input and writes answers to standard output, each with its length
first. An empty answer means that the fork died or took too long.

A fork has limits on time and memory, and can open no file, make no connection and start no process,
so it cannot read the environment of another process either. The server has to import everything
in its warm-up.
"""

import gc
import os
import resource
import select
import signal
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

MAX_ANSWER_BYTES = 16 * 1024 * 1024
CHUNK_BYTES = 1024 * 1024
LENGTH = struct.Struct(">I")
NOBODY = 65534  # the user and group without rights, on every Linux

Answer = Callable[[bytes], bytes]


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one question."""

    cpu_seconds: int
    wall_seconds: int  # longer than cpu_seconds, for busy machines
    memory_bytes: int  # in addition to the server's own


def serve(answer: Answer, limits: Limits, warm_up: Callable[[], object]) -> None:
    """Answer questions until standard input ends. `warm_up` runs before the first fork."""
    source, target = sys.stdin.buffer, sys.stdout.buffer
    warm_up()
    # Garbage collection in a fork would copy the memory that it shares with the server.
    gc.disable()
    gc.freeze()
    while len(head := source.read(LENGTH.size)) == LENGTH.size:
        (length,) = LENGTH.unpack(head)
        question = source.read(length)
        if len(question) < length:
            return
        reply = _answer_in_fork(question, answer, limits)
        target.write(LENGTH.pack(len(reply)) + reply)
        target.flush()


def _answer_in_fork(question: bytes, answer: Answer, limits: Limits) -> bytes:
    """Return the answer of a fork, b"" if it dies."""
    receiver, sender = os.pipe()
    fork = os.fork()
    if not fork:
        os.close(receiver)
        _answer_and_exit(question, answer, limits, sender)
    os.close(sender)
    reply = _receive(receiver, limits.wall_seconds)
    os.close(receiver)
    if reply is None:
        os.kill(fork, signal.SIGKILL)
    _, status = os.waitpid(fork, 0)
    return reply if reply and not status else b""


def _receive(source: int, wall_seconds: int) -> bytes | None:
    """Return all that a fork writes; None if it is silent too long or writes too much."""
    chunks: list[bytes] = []
    size = 0
    while size <= MAX_ANSWER_BYTES:
        ready, _, _ = select.select([source], [], [], wall_seconds)
        if not ready:
            return None
        chunk = os.read(source, CHUNK_BYTES)
        if not chunk:
            return b"".join(chunks)
        chunks.append(chunk)
        size += len(chunk)
    return None


def _answer_and_exit(question: bytes, answer: Answer, limits: Limits, target: int) -> None:
    status = 1
    try:
        # The fork must not use the server's pipes.
        os.close(0)
        os.close(1)
        _limit(limits)
        reply = answer(question)
        while reply:
            reply = reply[os.write(target, reply) :]
        status = 0
    finally:
        os._exit(status)


def _limit(limits: Limits) -> None:
    """Lower the limits of this process; they cannot be raised again."""
    signal.alarm(limits.wall_seconds)
    values = {
        resource.RLIMIT_CPU: limits.cpu_seconds,
        resource.RLIMIT_AS: _memory_in_use() + limits.memory_bytes,
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        # Neither files nor sockets. The pipe to the server is open already.
        resource.RLIMIT_NOFILE: 0,
        resource.RLIMIT_NPROC: 0,
    }
    for limit, value in values.items():
        _, most = resource.getrlimit(limit)
        value = value if most == resource.RLIM_INFINITY else min(value, most)
        resource.setrlimit(limit, (value, value))
    _give_up_root()


def _give_up_root() -> None:
    """As root, continue as nobody: root may raise its limits, and start any number of processes."""
    if os.geteuid():
        return
    # A container may have no other user. Then the other limits have to do.
    with suppress(OSError):
        os.setgroups([])
        os.setresgid(NOBODY, NOBODY, NOBODY)
        os.setresuid(NOBODY, NOBODY, NOBODY)


def _memory_in_use() -> int:
    """The size of the address space of this process, in bytes."""
    pages = Path("/proc/self/statm").read_bytes().split()[0]
    return int(pages) * resource.getpagesize()
