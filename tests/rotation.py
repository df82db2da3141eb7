"""Rotation: which share of a long test this run lives, so that all shares have their turn.

The commit decides, so that a run can be repeated: ROTATION=2 asks for a turn by its number, and
ROTATION=all for everything at once, as `make soak` does. Tests say `@pytest.mark.rotated(3)`: of
those in a file that bear the mark, every third runs, the next ones at another commit.
"""

import os
import subprocess
from collections import defaultdict
from datetime import UTC, datetime
from pathlib import Path
from zlib import crc32

import pytest

PARTS = 5  # of the stories of twins, each with another of its truths after so many turns
# Of what runs on PostgreSQL as well. What commits there, and so may meet another, runs each time.
ON_POSTGRESQL = 3
COMMITS = {"transactional_db", "apart"}
TURNS = 60  # until all begins anew; all numbers of parts that are in use divide it
EVERYTHING = "all"


def turn() -> str:
    """The number of this run's turn, or EVERYTHING."""
    if given := os.environ.get("ROTATION"):
        return given if given == EVERYTHING else str(int(given) % TURNS)
    checked_out = commit()
    # Where there is no repository, the days go round.
    number = int(checked_out, 16) if checked_out else datetime.now(UTC).toordinal()
    return str(number % TURNS)


def part(parts: int = PARTS) -> int:
    """The number of this run's share of so many, from 0 to parts - 1."""
    return 0 if turn() == EVERYTHING else int(turn()) % parts


def has_its_turn(file: str, number: int, parts: int) -> bool:
    """Whether the test of that number, of those in a file that have so many parts, runs now."""
    # Each file begins elsewhere, or the first tests of all would have their turn together.
    return turn() == EVERYTHING or (crc32(file.encode()) + number) % parts == part(parts)


def resting(items: list[pytest.Item]) -> list[pytest.Item]:
    """Those of the tests whose turn is another run's."""
    rotated = defaultdict(list)
    for item in items:
        if parts := _parts(item):
            rotated[item.path, parts].append(item)
    return [
        item
        for (path, parts), those in rotated.items()
        for number, item in enumerate(those)
        if not has_its_turn(path.name, number, parts)
    ]


def _parts(item: pytest.Item) -> int:
    """In how many turns this test is lived once; 0 if it runs each time."""
    if mark := item.get_closest_marker("rotated"):
        return int(mark.args[0])
    if "TESTS_TEMPLATE" not in os.environ:
        return 0
    return 0 if commits(item) else ON_POSTGRESQL


def commits(item: pytest.Item) -> bool:
    """Whether what the test writes is committed, and not taken back with it."""
    database = item.get_closest_marker("django_db")
    if database and database.kwargs.get("transaction"):
        return True
    return not COMMITS.isdisjoint(getattr(item, "fixturenames", ()))


def commit() -> str:
    """The hash of the commit that is checked out; none outside a repository."""
    command = ["git", "rev-parse", "HEAD"]
    try:
        done = subprocess.run(
            command, cwd=Path(__file__).parent, capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()
