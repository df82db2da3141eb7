"""P7: the front page of a player whose turn it is in 50 matches, with talk, notes and plans."""

from collections.abc import Iterator
from functools import partial

from tests.bench.crowd import HOME
from tests.bench.floor import SHOWN
from tests.bench.meter import Effort, compare, cpu_each, take_turns
from tests.bench.pages import TINY
from tests.bench.report import Result, milliseconds
from tests.bench.service import Reader, everything, postgres, serving, stock


def measure(effort: Effort) -> Iterator[Result]:
    with postgres() as server, serving(server) as service, stock(server) as (beside, visitor):
        made = service.prepare(matches=SHOWN, played=10, busy=1)
        player = Reader(service.url, made["people"]["south"])
        assert b"Your plan answers" in player.get("/")
        used, times = partial(everything, [service, beside]), effort.times(60)
        figures = take_turns(
            {
                "front page": partial(cpu_each, used, times, partial(player.get, "/")),
                "tiny page": partial(cpu_each, used, times, partial(visitor.get, TINY)),
            },
            effort.rounds,
        )
        found = compare(figures["front page"], figures["tiny page"])
        yield Result(
            "P7",
            f"front page, one's turn in {SHOWN}, with talk, notes and plans, CPU",
            milliseconds(found.one),
            f"tiny page: {milliseconds(found.other)}",
            found.ratio,
            HOME,
        )
