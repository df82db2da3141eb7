"""Sweeps of ratings, ladders and tournaments: each does what is due, and says how much.

Each sweep is idempotent and may be killed anywhere: the next run continues.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from games.competitions.ladders import departures, settlement
from games.competitions.tournaments.commands import sweeping as tournaments
from games.outbox import leases

LEASE = "competitions"


class Sweep(NamedTuple):
    """A sweep by name; `run` returns how much it did."""

    name: str
    run: Callable[[], int]


SWEEPS: list[Sweep] = [
    Sweep("ladder challenges settled", settlement.settle_all),
    Sweep("absent ladder members warned or dropped", departures.check_absent),
    Sweep("leaving ladder members taken off", departures.take_off_who_can_go),
    Sweep("entries closed", tournaments.close_entries),
    Sweep("pairings opened", tournaments.open_pairings),
    Sweep("pairings judged at the last date", tournaments.judge_unfinished),
    Sweep("stages ended", tournaments.end_stages),
    # A final that has just begun.
    Sweep("pairings of finals opened", tournaments.open_pairings),
]


def run_all() -> Iterator[tuple[str, int]]:
    """Run every sweep once, unless another worker does so now; yields what each has done."""
    with leases.claimed(LEASE) as lease:
        for sweep in SWEEPS if lease is not None else ():
            yield sweep.name, sweep.run()
            if lease is None or not lease.renew():
                return
