"""Rotation: which share of a long test this run lives, so that all shares have their turn.

The commit decides, so that a run can be repeated; TWIN_PART=2 asks for a share by its number.
"""

import os
import subprocess
from datetime import UTC, datetime
from pathlib import Path

PARTS = 5


def part() -> int:
    """The number of this run's share, from 0 to PARTS - 1."""
    if given := os.environ.get("TWIN_PART"):
        return int(given) % PARTS
    checked_out = commit()
    # Where there is no repository, the days go round.
    return (int(checked_out, 16) if checked_out else datetime.now(UTC).toordinal()) % PARTS


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
