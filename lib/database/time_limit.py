"""A limit of time for what a thread asks of the database: its connection is cut after that.

PostgreSQL's own limits do not help if it is a pooler that waits, or if nobody answers.
"""

import os
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections

CUT_SECONDS = 0.1  # between attempts, since a connection may only just be opening


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Within the block, what still waits for the database after `seconds` raises OperationalError.

    Django opens a new connection for the thread's next query. Opening one has its own limit,
    `connect_timeout`. SQLite has no server that could be away, and is not limited.
    """
    connection = connections[DEFAULT_DB_ALIAS]
    if connection.vendor != "postgresql":
        yield
        return
    done = threading.Event()
    # Held while a connection is cut, so that no later one of this thread is.
    cutting = threading.Lock()

    def watch() -> None:
        pause = seconds
        while not done.wait(pause):
            pause = CUT_SECONDS
            with cutting:
                if not done.is_set():
                    _cut(connection.connection)

    threading.Thread(target=watch, name="time limit", daemon=True).start()
    try:
        yield
    finally:
        with cutting:
            done.set()


def _cut(connection: Any) -> None:
    """Shut down the socket of a psycopg connection, if it has one; libpq then reports its end."""
    if connection is None or connection.closed:
        return
    # The connection may be closed by its own thread at this moment.
    with suppress(Exception), socket.socket(fileno=os.dup(connection.pgconn.socket)) as line:
        line.shutdown(socket.SHUT_RDWR)
