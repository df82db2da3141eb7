"""P14: cost of programs that use the API: polls, and the lines of a long match."""

import time
from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from tests.bench.meter import Effort, compare, cpu_seconds
from tests.bench.pages import TINY
from tests.bench.report import Goal, Result, bare, milliseconds
from tests.bench.service import Reader, Service, cpu_by_name, postgres, serving, stock

POLL = Goal(must=1.2, aim=1)
BOTS = Goal(must=2, aim=1, unit="% of a core")
LINES = Goal(must=1.5, aim=1.1)
WAITING = 20  # matches
PAIRS = 10  # of bots
EVERY, LONG = 15, 180  # seconds
FEW_PLIES, MANY_PLIES = 20, 900


class Program:
    """A client of the API, on one connection that stays open."""

    def __init__(self, service: Service, username: str, token: str = "bench") -> None:
        text = service.stack.manage("api_token", username, "--name", token)
        self._connection = HTTPConnection(urlsplit(service.url).netloc, timeout=60)
        self._authorization = {"Authorization": f"Bearer {text.strip()}"}
        self._etag = ""  # of the newest answer

    def ask(self, path: str, status: int = 200) -> None:
        """Ask for something; with its ETag unless the status is to be 200."""
        known = {} if status == 200 else {"If-None-Match": self._etag}
        self._connection.request("GET", path, headers=self._authorization | known)
        answer = self._connection.getresponse()
        answer.read()
        if answer.status != status:
            raise RuntimeError(f"{path} was answered with {answer.status}.")
        self._etag = answer.headers["ETag"]


def measure(effort: Effort) -> Iterator[Result]:
    with (
        postgres() as server,
        serving(server, API_LIMITS="off") as service,
        stock(server) as floor,
    ):
        service.prepare(matches=WAITING, played=10)
        program = Program(service, "south")
        yield _poll(service, floor, program, effort)
        if not effort.is_short:
            yield _lines(service, program, effort)
            yield _bots(service)


def _poll(
    service: Service, floor: tuple[Service, Reader], program: Program, effort: Effort
) -> Result:
    stock_service, visitor = floor
    path = "/api/v1/waiting"
    program.ask(path)
    figures = cpu_by_name(
        [service, stock_service],
        effort,
        {"tiny page": partial(visitor.get, TINY), "poll": partial(program.ask, path, 304)},
    )
    comparison = compare(figures["poll"], figures["tiny page"])
    return Result(
        "P14",
        f"a poll of the API with nothing new, {WAITING} matches waiting, CPU",
        milliseconds(comparison.one),
        f"tiny page {milliseconds(comparison.other)}",
        comparison.ratio,
        POLL,
    )


def _lines(service: Service, program: Program, effort: Effort) -> Result:
    """What a player's program asks for at its turn: the lines after those that it has read."""
    asks: dict[int, Any] = {}
    for plies in (FEW_PLIES, MANY_PLIES):
        match = service.prepare(played=plies)["matches"][0]
        asks[plies] = partial(
            program.ask, f"/api/v1/matches/{match['id']}/lines?after={match['ply'] - 2}"
        )
    figures = cpu_by_name([service], effort, asks)
    comparison = compare(figures[MANY_PLIES], figures[FEW_PLIES])
    return Result(
        "P14",
        f"newest line of a match of {MANY_PLIES} plies, CPU",
        milliseconds(comparison.one),
        f"{FEW_PLIES} plies {milliseconds(comparison.other)}",
        comparison.ratio,
        LINES,
    )


def _bots(service: Service) -> Result:
    """Programs that poll in turns, each every EVERY seconds, and get nothing new."""
    service.prepare(matches=5 * PAIRS, played=10, pairs=PAIRS)
    names = [f"{side}{number or ''}" for number in range(PAIRS) for side in ("south", "north")]
    bots = [Program(service, name, "poll") for name in names]
    for bot in bots:
        bot.ask("/api/v1/waiting")
    before, begun = cpu_seconds(service.everything()), time.monotonic()
    for number in range(LONG * len(bots) // EVERY):
        time.sleep(max(0.0, begun + number * EVERY / len(bots) - time.monotonic()))
        bots[number % len(bots)].ask("/api/v1/waiting", 304)
    time.sleep(max(0.0, begun + LONG - time.monotonic()))
    used = (cpu_seconds(service.everything()) - before) / (time.monotonic() - begun)
    what = f"{len(bots)} programs that poll every {EVERY} s, CPU"
    return bare("P14", what, 100 * used, BOTS)
