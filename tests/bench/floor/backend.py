"""CPU time of a command that runs beside the service, with its part of PostgreSQL."""

import time
from collections.abc import Callable

from django.db import connection

from tests.bench.meter import cpu_seconds


def cpu_with_database(do: Callable[[], object]) -> float:
    """CPU seconds of this process and of the one that serves it in PostgreSQL."""
    connection.ensure_connection()
    backend = connection.connection.info.backend_pid

    def used() -> float:
        return time.process_time() + cpu_seconds([backend])

    before = used()
    do()
    return used() - before
