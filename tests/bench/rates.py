"""P2b, P2c: moves a second through HTTP, all durable. P8: what more processes cost a move."""

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

PEER = Goal(must=1.2, aim=2, least=True)
FLOOR = Goal(must=0.06, aim=0.1, least=True)
TAIL = Goal(must=4, aim=2)
MORE_PROCESSES = Goal(must=1.15, aim=1.05)

EACH = 50  # moves of a client in a round
FOR_PGBENCH = 40  # matches
SCRIPT = Path(__file__).parent / "move.sql"


class Players:
    """Clients that send moves at once, each in matches of its own."""

    def __init__(self, service: Service, made: dict[str, Any], each: int) -> None:
        self._made, self._service, self._each = made, service, each
        shares = [made["matches"][number::CLIENTS] for number in range(CLIENTS)]
        self._moves = [iter(to_send(share)) for share in shares]
        self._readers = [
            [Reader(service.url, made["people"][seat]) for seat in ("south", "north")]
            for _ in range(CLIENTS)
        ]
        self.rounds: list[list[float]] = []  # the seconds that each move took

    def moves_a_second(self) -> float:
        pairs = zip(self._readers, self._moves, strict=True)
        self.rounds.append([])
        return self._together([partial(_send_next, *pair) for pair in pairs], self.rounds[-1])

    def cpu_a_move(self) -> float:
        """CPU seconds a move, of web servers, PostgreSQL and the workers that write the e-mails."""
        before = cpu_seconds(self._service.with_workers())
        self.moves_a_second()
        self._service.wait_for_outbox()
        return (cpu_seconds(self._service.with_workers()) - before) / self._each / CLIENTS

    def lean_moves_a_second(self) -> float:
        """The floor's, each client in a game of its own."""
        pairs = zip(self._readers, self._made["games"], strict=True)
        acts: list[Callable[[], None]] = [
            partial(readers[0].post, f"/floor/move/{game}/", move="a4-a5")
            for readers, game in pairs
        ]
        return self._together(acts, [])

    def _together(self, acts: list[Callable[[], None]], seconds: list[float]) -> float:
        """Acts a second, when each client does its own again and again; fills in `seconds`."""

        def act(again: Callable[[], None]) -> None:
            for _ in range(self._each):
                seconds.append(wall(again))

        threads = [threading.Thread(target=act, args=[again]) for again in acts]

        def play() -> None:
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()

        taken = wall(play)
        if len(seconds) != len(acts) * self._each:
            raise RuntimeError("A client did not come to its end.")
        return len(acts) * self._each / taken


def _send_next(readers: list[Reader], moves: Iterator[Sent]) -> None:
    send(readers, *next(moves))


def measure(effort: Effort) -> Iterator[Result]:
    with ExitStack() as stack:
        server = stack.enter_context(postgres(durable=True))
        web = stack.enter_context(serving(server, processes=2))
        one = stack.enter_context(serving(server, processes=1, workers=1))
        two = stack.enter_context(serving(server, processes=2, workers=2))
        peer = stack.enter_context(boardgame_io(server))
        each = effort.times(EACH)
        made = _prepare(web, effort, each, FOR_PGBENCH)
        kept = made["matches"][:FOR_PGBENCH]
        made["matches"] = made["matches"][FOR_PGBENCH:]
        players = Players(web, made, each)
        few, many = (
            Players(service, _prepare(service, effort, each), each) for service in (one, two)
        )
        rates: dict[str, Callable[[], float]] = {
            "moves": players.moves_a_second,
            "lean": players.lean_moves_a_second,
            "pgbench": lambda: _pgbench(server, web, kept, effort.times(3)),
            "one": few.cpu_a_move,
            "two": many.cpu_a_move,
        }
        if peer is not None:
            rates["peer"] = lambda: peer.moves_a_second(CLIENTS, each)
        figures = take_turns(rates, effort.rounds)
    what = f"durable moves, {CLIENTS} clients"
    if peer is None:
        yield Result("P2b", what, "-", "boardgame.io: peer not here", None, PEER)
    else:
        yield _ratio("P2b", what, "boardgame.io", figures["moves"], figures["peer"], PEER)
        lean = "lean moves instead, which is as fast as Django can be"
        yield _ratio("P2b", lean, "boardgame.io", figures["lean"], figures["peer"], PEER)
    yield _ratio("P2c", what, "pgbench, writes alone", figures["moves"], figures["pgbench"], FLOOR)
    # The first round warms up, here as everywhere.
    seconds = list(chain.from_iterable(players.rounds[1:]))
    tail = percentile(seconds, 99) / percentile(seconds, 50)
    yield bare("P2c", "the slowest of 100 moves against the median (p99/p50)", tail, TAIL)
    found = compare(figures["two"], figures["one"])
    yield Result(
        "P8",
        "a move, two web servers and two workers, CPU",
        milliseconds(found.one),
        f"one and one {milliseconds(found.other)}",
        found.ratio,
        MORE_PROCESSES,
    )


def _ratio(
    id: str, what: str, against: str, ours: list[float], theirs: list[float], goal: Goal
) -> Result:
    found = compare(ours, theirs)
    figures = f"{found.one:,.0f}/s", f"{against} {found.other:,.0f}/s"
    return Result(id, what, *figures, found.ratio, goal)


def _prepare(service: Service, effort: Effort, each: int, more: int = 0) -> dict[str, Any]:
    """Matches with enough moves for every client and round, and `more` of them."""
    moves = 40  # of a match
    for_each_client = (effort.rounds + 1) * each // moves + 1
    return service.prepare(matches=CLIENTS * for_each_client + more, played=20, to_come=moves)


def _pgbench(
    server: Postgres, service: Service, matches: list[dict[str, Any]], seconds: int
) -> float:
    numbers = {"first": matches[0]["id"], "last": matches[-1]["id"], "user": 1}
    defined = [f"-D{name}={number}" for name, number in numbers.items()]
    options = ["-n", "-M", "prepared", "-c", str(CLIENTS), "-j", "2", "-T", str(seconds)]
    done = subprocess.run(
        [*server.command("pgbench", *options), *defined, "-f", SCRIPT, service.database_url],
        check=True,
        capture_output=True,
        text=True,
    )
    found = re.search(r"tps = ([\d.]+)", done.stdout)
    assert found is not None, done.stdout
    return float(found[1])
