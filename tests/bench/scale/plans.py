"""How PostgreSQL finds rows: the plans of the statements that an act runs, by auto_explain."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from django.db import connection

SEE_PLANS = """
    LOAD 'auto_explain';
    SET auto_explain.log_min_duration = 0;
    SET auto_explain.log_analyze = on;
    SET auto_explain.log_timing = off;
    SET auto_explain.log_level = notice;
    SET client_min_messages = notice
"""
SCANS = re.compile(r"(?:Index Scan|Index Only Scan|Bitmap Index Scan)[\w ]* (?:using|on) (\w+)")
WHOLE_TABLE = re.compile(r"Seq Scan on (\w+)")
READ = re.compile(r"actual rows=(\d+) loops=(\d+)")
FILTERED = re.compile(r"Rows Removed by (?:Filter|Index Recheck): (\d+)")
MANY_ROWS = 1000  # read by one node of a plan: what grows with the tables


class Found:
    """What the plans of an act say: indexes, tables read as a whole, and nodes of many rows."""

    def __init__(self) -> None:
        self.indexes: set[str] = set()
        self.whole_tables: set[str] = set()
        self.large: list[str] = []

    def take(self, text: str) -> None:
        self.indexes |= set(SCANS.findall(text))
        self.whole_tables |= set(WHOLE_TABLE.findall(text))
        counts = [int(rows) * int(loops) for rows, loops in READ.findall(text)]
        counts += [int(rows) for rows in FILTERED.findall(text)]
        if counts and max(counts) >= MANY_ROWS:
            self.large.append(f"{max(counts)} rows: {text}")


@contextmanager
def seen() -> Iterator[Callable[[Callable[[], Any]], Found]]:
    """Within the block: a function that does an act and returns what its plans say."""
    connection.ensure_connection()
    now: list[Found] = []

    def note(diagnostic: Any) -> None:
        if now and (text := diagnostic.message_primary or "").startswith("duration"):
            now[-1].take(text)

    raw = connection.connection
    raw.add_notice_handler(note)
    with connection.cursor() as cursor:
        cursor.execute(SEE_PLANS)

    def of(act: Callable[[], Any]) -> Found:
        now.append(Found())
        act()
        return now.pop()

    try:
        yield of
    finally:
        raw.remove_notice_handler(note)
        with connection.cursor() as cursor:
            cursor.execute("SET auto_explain.log_min_duration = -1")
