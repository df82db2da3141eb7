"""CPU time of a command that runs next to the service, with its part of PostgreSQL."""

import time
from collections.abc import Callable
from pathlib import Path

from django.db import connection


def cpu_with_database(do: Callable[[], object]) -> float:
    """CPU seconds of this process and of the one that serves it in PostgreSQL."""
    connection.ensure_connection()
    backend = connection.connection.info.backend_pid

    def used() -> float:
        # In nanoseconds: /proc/PID/stat counts hundredths of a second, too few for one e-mail.
        ran = Path(f"/proc/{backend}/schedstat").read_text().split()[0]
        return time.process_time() + int(ran) / 1e9

    before = used()
    do()
    return used() - before
