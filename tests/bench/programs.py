"""P14: what a program costs that polls the API."""

from collections.abc import Iterator
from functools import partial
from http.client import HTTPConnection
from typing import Any
from urllib.parse import urlsplit

from tests.bench.meter import Effort, compare, cpu_each, take_turns
from tests.bench.pages import TINY
from tests.bench.report import Goal, Result, milliseconds
from tests.bench.service import Service, everything, postgres, serving, stock

POLL = Goal(must=1.2, aim=1)
WAITING = 20  # matches


class Program:
    """A client of the API, on one connection that stays open."""

    def __init__(self, service: Service, username: str) -> None:
        text = service.stack.manage("api_token", username, "--name", "bench")
        self._connection = HTTPConnection(urlsplit(service.url).netloc, timeout=60)
        self._headers = {"Authorization": f"Bearer {text.strip()}"}

    def ask(self, path: str, status: int) -> None:
        self._connection.request("GET", path, headers=self._headers)
        answer = self._connection.getresponse()
        answer.read()
        if answer.status != status:
            raise RuntimeError(f"{path} was answered with {answer.status}.")
        self._headers["If-None-Match"] = answer.headers["ETag"]


def measure(effort: Effort) -> Iterator[Result]:
    with (
        postgres() as server,
        serving(server, API_LIMITS="off") as service,
        stock(server) as (beside, visitor),
    ):
        service.prepare(matches=WAITING, played=10)
        program = Program(service, "south")
        path = "/api/v1/waiting"
        program.ask(path, 200)
        used, times = partial(everything, [service, beside]), effort.times(150)
        reads: dict[str, Any] = {
            "tiny page": partial(visitor.get, TINY),
            "poll": partial(program.ask, path, 304),
        }
        figures = take_turns(
            {name: partial(cpu_each, used, times, read) for name, read in reads.items()},
            effort.rounds,
        )
        found = compare(figures["poll"], figures["tiny page"])
        yield Result(
            "P14",
            f"a poll of the API with nothing new, {WAITING} matches waiting, CPU",
            milliseconds(found.one),
            f"tiny page {milliseconds(found.other)}",
            found.ratio,
            POLL,
        )
