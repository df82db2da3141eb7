"""P2b, P2c: moves a second through HTTP, all durable. P8: cost of a move with more processes."""

import re
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

from tests.bench.floor import CLIENTS
from tests.bench.meter import Effort, compare, cpu_seconds, percentile, take_turns, wall
from tests.bench.moves import Sent, send, to_send
from tests.bench.peers import boardgame_io
from tests.bench.report import Goal, Result, bare, milliseconds
from tests.bench.service import Reader, Service, postgres, serving
from tests.servers import Postgres

SHORT_MATCH = Goal(must=0.8, aim=1, least=True)
WHOLE_MATCH = Goal(must=1.2, aim=1.5, least=True)
FLOOR = Goal(must=0.06, aim=0.1, least=True)
TAIL = Goal(must=4, aim=2)
MORE_PROCESSES = Goal(must=1.15, aim=1.05)

# Plies of a match. The peer's move costs more with each ply, ours does not. Matches of the marshal
# against the marshal have 146 to 476 plies, 303 on average (docs/tournaments.md).
SHORT_LENGTH = 50
LENGTHS = {SHORT_LENGTH: SHORT_MATCH, 300: WHOLE_MATCH, 400: WHOLE_MATCH}
FOR_PGBENCH = 40  # matches
SCRIPT = Path(__file__).parent / "move.sql"


class Players:
    """Clients that send moves at once, each round in a new match of `length` plies each."""

    def __init__(self, service: Service, length: int, rounds: int) -> None:
        self._service, self._length = service, length
        count = CLIENTS * (rounds + 1)
        # Of one person's responses the newest 1,000 are kept, so each match has its own people.
        made = service.prepare(matches=count, played=0, to_come=length, pairs=count)
        self._games, self._people = made["games"], list(made["people"].values())
        self._matches = iter(made["matches"])
        self.rounds: list[list[float]] = []  # the seconds that each move took

    def moves_a_second(self) -> float:
        self.rounds.append([])
        return self._together(self._acts(), self.rounds[-1])

    def cpu_a_move(self) -> float:
        """CPU seconds a move, of web servers, PostgreSQL and the workers that write the e-mails."""
        acts = self._acts()
        before = cpu_seconds(self._service.with_workers())
        self._together(acts, [])
        self._service.wait_for_outbox()
        used = cpu_seconds(self._service.with_workers()) - before
        return used / self._length / CLIENTS

    def lean_moves_a_second(self) -> float:
        """The floor's, each client in a game of its own."""
        acts: list[Callable[[], None]] = [
            partial(readers[0].post, f"/floor/move/{game}/", move="a4-a5")
            for readers, game in zip(self._clients(), self._games, strict=True)
        ]
        return self._together(acts, [])

    def _clients(self) -> list[list[Reader]]:
        # New ones in each round, since the service closes connections that were idle for a minute.
        return self._service.clients(self._people, CLIENTS)

    def _acts(self) -> list[Callable[[], None]]:
        """For each client, what sends the next move of its match."""
        acts: list[Callable[[], None]] = []
        for readers in self._clients():
            match = next(self._matches)
            for reader, session in zip(readers, match["sessions"], strict=True):
                reader.sign_in(session)
            acts.append(partial(_send_next, readers, iter(to_send([match]))))
        return acts

    def _together(self, acts: list[Callable[[], None]], seconds: list[float]) -> float:
        """Acts a second, when each client does its own again and again; fills in `seconds`."""

        def act(again: Callable[[], None]) -> None:
            for _ in range(self._length):
                seconds.append(wall(again))

        threads = [threading.Thread(target=act, args=[again]) for again in acts]

        def play() -> None:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        taken = wall(play)
        if len(seconds) != len(acts) * self._length:
            raise RuntimeError("A client did not come to its end.")
        return len(acts) * self._length / taken


def _send_next(readers: list[Reader], moves: Iterator[Sent]) -> None:
    send(readers, *next(moves))


def measure(effort: Effort) -> Iterator[Result]:
    with ExitStack() as stack:
        server = stack.enter_context(postgres(durable=True))
        web = stack.enter_context(serving(server, processes=2))
        one = stack.enter_context(serving(server, processes=1, workers=1))
        two = stack.enter_context(serving(server, processes=2, workers=2))
        peer = stack.enter_context(boardgame_io(server))
        for_pgbench = web.prepare(matches=FOR_PGBENCH, played=20)
        players = {length: Players(web, length, effort.rounds) for length in LENGTHS}
        brief = players[SHORT_LENGTH]
        few, many = (Players(service, SHORT_LENGTH, effort.rounds) for service in (one, two))
        rates: dict[str, Callable[[], float]] = {
            "lean": brief.lean_moves_a_second,
            "pgbench": lambda: _pgbench(server, web, for_pgbench, effort.times(3)),
            "one": few.cpu_a_move,
            "two": many.cpu_a_move,
        }
        for length, playing in players.items():
            rates[f"moves {length}"] = playing.moves_a_second
            if peer is not None:
                rates[f"peer {length}"] = partial(peer.moves_a_second, CLIENTS, length)
        figures = take_turns(rates, effort.rounds)
    for length, goal in LENGTHS.items():
        what = f"durable moves, {CLIENTS} clients, matches of {length} plies"
        if peer is None:
            yield Result("P2b", what, "-", "boardgame.io: peer not here", None, goal)
            continue
        ours, theirs = figures[f"moves {length}"], figures[f"peer {length}"]
        yield _ratio("P2b", what, "boardgame.io", ours, theirs, goal)
        if length == SHORT_LENGTH:
            lean = "lean moves instead, which is as fast as Django can be"
            yield _ratio("P2b", lean, "boardgame.io", figures["lean"], theirs, goal)
    what, ours = f"durable moves, {CLIENTS} clients", figures[f"moves {SHORT_LENGTH}"]
    yield _ratio("P2c", what, "pgbench, writes alone", ours, figures["pgbench"], FLOOR)
    # The first round warms up, here as everywhere.
    seconds = list(chain.from_iterable(brief.rounds[1:]))
    tail = percentile(seconds, 99) / percentile(seconds, 50)
    yield bare("P2c", "the slowest of 100 moves against the median (p99/p50)", tail, TAIL)
    comparison = compare(figures["two"], figures["one"])
    yield Result(
        "P8",
        "a move, two web servers and two workers, CPU",
        milliseconds(comparison.one),
        f"one and one {milliseconds(comparison.other)}",
        comparison.ratio,
        MORE_PROCESSES,
    )


def _ratio(
    id: str, what: str, against: str, ours: list[float], theirs: list[float], goal: Goal
) -> Result:
    comparison = compare(ours, theirs)
    figures = f"{comparison.one:,.0f}/s", f"{against} {comparison.other:,.0f}/s"
    return Result(id, what, *figures, comparison.ratio, goal)


def _pgbench(server: Postgres, service: Service, made: dict[str, Any], seconds: int) -> float:
    first, last = made["matches"][0]["id"], made["matches"][-1]["id"]
    # Its keys are no real ones, so no player may have them.
    numbers = {"first": first, "last": last, "user": made["other"]}
    defined = [f"-D{name}={number}" for name, number in numbers.items()]
    options = ["-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "2", "-T", str(seconds)]
    done = subprocess.run(
        [*server.command("pgbench", *options), *defined, "-f", SCRIPT, service.database_url],
        check=True,
        capture_output=True,
        text=True,
    )
    match = re.search(r"tps = ([\d.]+)", done.stdout)
    assert match is not None, done.stdout
    return float(match[1])
