"""P7: the front page of a player whose turn it is in 50 matches, with talk, notes and plans."""

from collections.abc import Iterator
from functools import partial

from tests.bench.crowd import HOME
from tests.bench.floor import SHOWN
from tests.bench.meter import Effort, compare
from tests.bench.pages import TINY
from tests.bench.report import Result, milliseconds
from tests.bench.service import Reader, cpu_by_name, postgres, serving, stock


def measure(effort: Effort) -> Iterator[Result]:
    with (
        postgres() as server,
        serving(server) as service,
        stock(server) as (stock_service, visitor),
    ):
        made = service.prepare(matches=SHOWN, played=10, busy=1)
        player = Reader(service.url, made["people"]["south"])
        assert b"Your plan answers" in player.get("/")
        reads = {"front page": partial(player.get, "/"), "tiny page": partial(visitor.get, TINY)}
        figures = cpu_by_name([service, stock_service], effort, reads, times=60)
        comparison = compare(figures["front page"], figures["tiny page"])
        yield Result(
            "P7",
            f"front page, one's turn in {SHOWN}, with talk, notes and plans, CPU",
            milliseconds(comparison.one),
            f"tiny page: {milliseconds(comparison.other)}",
            comparison.ratio,
            HOME,
        )
