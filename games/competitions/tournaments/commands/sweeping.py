"""What is due in tournaments, found by indexes; each step is a transaction of its own."""

from __future__ import annotations

import time
from collections.abc import Callable

from games.competitions.tournaments.commands import drawing, ending, judging, opening
from games.competitions.tournaments.models import Stage, State, Tournament
from lib.db_clock import now

MAX_ROWS = 50  # tournaments or stages of one sweep; the next run continues
SHARE_SECONDS = 10.0  # of one sweep


def close_entries() -> int:
    """Draw, prolong or cancel the tournaments whose entry has closed."""
    due = Tournament.objects.filter(state=State.OPEN, closes_at__lte=now()).order_by("closes_at")
    return sum(
        drawing.close_entry(pk) is not None for pk in due.values_list("pk", flat=True)[:MAX_ROWS]
    )


def open_pairings() -> int:
    """Open the pairings that may be opened by now."""
    stages = Stage.objects.filter(to_open=True).order_by("pk")
    return _until_done(list(stages.values_list("pk", flat=True)[:MAX_ROWS]), opening.open_batch)


def judge_unfinished() -> int:
    """Judge what is not finished at the last date of its stage."""
    stages = Stage.objects.filter(to_judge=True, ends_at__lte=now()).order_by("ends_at")
    return _until_done(list(stages.values_list("pk", flat=True)[:MAX_ROWS]), judging.judge_batch)


def end_stages() -> int:
    """End the stages whose tables are full."""
    stages = Stage.objects.filter(to_check=True).order_by("pk")
    return sum(ending.end_if_complete(pk) for pk in stages.values_list("pk", flat=True)[:MAX_ROWS])


def _until_done(stages: list[int], batch: Callable[[int], int]) -> int:
    """Run batches for each stage until one finds nothing, within the share of time."""
    until, done = time.monotonic() + SHARE_SECONDS, 0
    for stage in stages:
        while time.monotonic() < until and (count := batch(stage)):
            done += count
    return done
