"""`python -m tests.bench.club`: a club on one machine with SQLite, as docs/running/install.md says.

`manage.py up` behind Caddy, so many players who move, an SMTP server that takes their e-mails. A
turn is what a player does at one: open the match, send the move, see the page that follows; for
every second turn somebody looks at the front page. Turns begin by the clock, whether or not those
before are over, so that a slow answer delays nobody else's.

With `--house 100` all of it is measured twice: without the house, and then with 100 running matches
against it at its strongest. A player whom it has answered moves again within a second.
"""

import argparse
import os
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import NamedTuple

import tests.environment  # noqa: F401 -- a folder and settings that are nobody's.
from tests.bench.club_service import Service, up
from tests.bench.members import Club, play
from tests.bench.meter import cpu_seconds, memory, percentile
from tests.bench.report import machine
from tests.servers import SmtpSink, wait_for

UNFINISHED_ROWS = """
    SELECT count(*) FROM outbox_dispatch
    WHERE sent_at IS NULL AND superseded_at IS NULL AND dead_at IS NULL
"""
# julianday counts days; of rows whose e-mail left, and of which something else came of.
DELAYS = """
    SELECT (julianday(sent_at) - julianday(max(created_at, not_before))) * 86400
    FROM outbox_dispatch
    WHERE sent_at IS NOT NULL AND event = 'turn-came' AND created_at BETWEEN ? AND ?
"""
UNFINISHED_OF = f"{UNFINISHED_ROWS} AND event = 'turn-came' AND created_at BETWEEN ? AND ?"
ANSWERED = """
    SELECT count(*) FROM play_ply p JOIN play_player s
    ON s.match_id = p.match_id AND s.seat = p.seat JOIN accounts_user u ON u.id = s.user_id
    WHERE u.house_level != '' AND p.kind = 'move'
"""
OTHERS = "SELECT count(superseded_at), count(dead_at), max(attempts) FROM outbox_dispatch"


class Measured(NamedTuple):
    """What the turns of one round took, in seconds."""

    took: float
    late: float  # by which the latest turn began
    cores: float
    acts: dict[str, list[float]]
    delays: list[float]  # of e-mails
    answered: int  # by the house


class Rounds:
    """Turns, measured round by round; those of a round follow on those of the round before."""

    def __init__(self, service: Service, database: sqlite3.Connection) -> None:
        self.service = service
        self.ask = database.execute
        self.club = Club(service.url, service.made)
        self.turns = 0

    def rest(self) -> None:
        """Wait until every e-mail has left."""
        rows = self.ask
        wait_for(lambda: rows(UNFINISHED_ROWS).fetchone() == (0,), "All e-mails should go.", 600)

    def measure(self, turns: int, a_second: float) -> Measured:
        (since,) = self.ask("SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')").fetchone()
        (answered,) = self.ask(ANSWERED).fetchone()
        before, begun = cpu_seconds([self.service.pid]), time.monotonic()
        self.club.seconds.clear()
        late = play(self.club, range(self.turns, self.turns + turns), a_second)
        self.turns += turns
        took = time.monotonic() - begun
        used = cpu_seconds([self.service.pid]) - before
        answered = self.ask(ANSWERED).fetchone()[0] - answered
        (until,) = self.ask("SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')").fetchone()
        acts = {what: list(values) for what, values in self.club.seconds.items()}
        wait_for(
            lambda: not self.ask(UNFINISHED_OF, [since, until]).fetchone()[0],
            "Their e-mails should go.",
            600,
        )
        delays = [seconds for (seconds,) in self.ask(DELAYS, [since, until])]
        return Measured(took, late, used / took, acts, delays, answered)


@contextmanager
def the_house_at_play(service: Service, matches: int) -> Iterator[None]:
    """Within the block so many matches against the house go on."""
    busy = service.manage("keep_house_busy", f"--matches={matches}")
    assert busy.stdin and busy.stdout
    try:
        wait_for(lambda: "begun" in busy.stdout.readline(), "The matches should begin.", 600)
        yield
    finally:
        busy.stdin.close()
        print(f"opponents of the house: {busy.stdout.read().strip()}")
        busy.wait(60)


def summary(values: list[float]) -> str:
    at = [percentile(values, percent) * 1000 for percent in (50, 95, 99)]
    return f"{len(values):6,}   p50 {at[0]:6.0f} ms   p95 {at[1]:6.0f} ms   p99 {at[2]:6.0f} ms"


def report(title: str, measured: Measured) -> None:
    print(
        f"{title}: {measured.took:.0f} s, the latest turn began {measured.late:.2f} s late; "
        f"{measured.cores:.2f} cores; {measured.answered} moves of the house"
    )
    for what, values in measured.acts.items():
        print(f"  {what:<11}{summary(values)}")
    print(f"  {'e-mail':<11}{summary(measured.delays)}   max {max(measured.delays):.1f} s")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.club", description=__doc__)
    parser.add_argument("--players", type=int, default=200)
    parser.add_argument("--matches", type=int, default=200)
    parser.add_argument("--rate", type=float, default=10.0, help="moves a second")
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--house", type=int, default=0, help="matches against it that go on")
    options = parser.parse_args(arguments)
    turns = int(options.rate * options.seconds)
    options.to_come = -(-turns * (2 if options.house else 1) // options.matches)
    with ExitStack() as stack:
        var = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="estafette-club-")))
        mail = SmtpSink()
        mail.start()
        stack.callback(mail.stop)
        service = stack.enter_context(up(var, options, mail))
        database = stack.enter_context(
            closing(sqlite3.connect(f"file:{var}/estafette.sqlite3?mode=ro", uri=True))
        )
        load = os.getloadavg()[0]
        rounds = Rounds(service, database)
        rounds.rest()
        results_by_title = {"without the house": rounds.measure(turns, options.rate)}
        if options.house:
            with the_house_at_play(service, options.house):
                title = f"beside {options.house} matches against the house"
                results_by_title[title] = rounds.measure(turns, options.rate)
            rounds.rest()
        superseded, dead, attempts = database.execute(OTHERS).fetchone()
        print(f"{machine()}; load before {load:.1f}, after {os.getloadavg()[0]:.1f}")
        print(
            f"{options.players} players, {turns} turns, {options.processes} web processes, "
            f"{options.workers} workers, SQLite"
        )
        for title, measured in results_by_title.items():
            report(title, measured)
        print(f"superseded {superseded}, given up {dead}, most attempts {attempts}")
        errors = rounds.club.errors
        print(f"service: {memory([service.pid]):.0f} MiB; errors: {len(errors)}")
        for error in sorted(set(errors)):
            print(f"  {error} x {errors.count(error)}")
    return int(bool(errors))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
