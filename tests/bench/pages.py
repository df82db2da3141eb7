"""P1, P3, P11: the page of a match."""

from collections.abc import Iterator
from functools import partial

from tests import weight
from tests.bench.meter import Effort, compare
from tests.bench.report import Goal, Result, bare, milliseconds
from tests.bench.service import Reader, Service, cpu_by_name, postgres, serving, stock

PAGE = Goal(must=3.0, aim=2.5)
DEPTH = Goal(must=1.1, aim=1.1)
DISK = Goal(must=400, aim=200, unit="B")
WEIGHT = Goal(must=100, aim=60, unit="kB")

TINY, EMPTY = "/floor/tiny/", "/floor/empty/"
LONG = 1000  # plies
SIZE = "SELECT pg_total_relation_size('play_ply') / count(*) FROM play_ply"


def measure(effort: Effort) -> Iterator[Result]:
    with (
        postgres() as server,
        serving(server, HASHED_STATIC="true") as service,
        stock(server) as floor,
    ):
        made = service.prepare()
        match = f"/match/{made['matches'][0]['id']}/"
        south, north = (Reader(service.url, made["people"][seat]) for seat in ("south", "north"))
        assert b"move-form" in south.get(match) and b"move-form" not in north.get(match)
        yield from _page(service, floor, effort, match, south, north)
        yield _weight(south, match)
        if not effort.is_short:
            yield from _depth(service, effort, south)


def _page(
    service: Service,
    floor: tuple[Service, Reader],
    effort: Effort,
    match: str,
    on_turn: Reader,
    waiting: Reader,
) -> Iterator[Result]:
    """P1: against a tiny page of somebody who is logged in, and an empty one of this site."""
    stock_service, visitor = floor
    reads = {
        "tiny page": partial(visitor.get, TINY),
        "empty page of the site": partial(on_turn.get, EMPTY),
        "own turn": partial(on_turn.get, match),
        "other's turn": partial(waiting.get, match),
    }
    figures = cpu_by_name([service, stock_service], effort, reads)
    for against in ("tiny page", "empty page of the site"):
        for name in ("own turn", "other's turn"):
            comparison = compare(figures[name], figures[against])
            yield Result(
                "P1",
                f"match page, {name}, CPU",
                milliseconds(comparison.one),
                f"{against} {milliseconds(comparison.other)}",
                comparison.ratio,
                PAGE,
            )


def _depth(service: Service, effort: Effort, reader: Reader) -> Iterator[Result]:
    """P3: a late ply of a long match against an early one, and what a ply takes on the disk."""
    made = service.prepare(played=LONG)["matches"][0]
    page = f"/match/{made['id']}/"
    reads = {
        "early page": partial(reader.get, f"{page}?ply=10"),
        "late page": partial(reader.get, f"{page}?ply={LONG - 10}"),
    }
    figures = cpu_by_name([service], effort, reads)
    comparison = compare(figures["late page"], figures["early page"])
    yield Result(
        "P3",
        f"page of ply {LONG - 10:,} of {LONG:,}, CPU",
        milliseconds(comparison.one),
        f"ply 10 {milliseconds(comparison.other)}",
        comparison.ratio,
        DEPTH,
    )
    yield bare("P3", "a ply on PostgreSQL, indexes included", float(service.ask(SIZE)), DISK)


def _weight(reader: Reader, page: str) -> Result:
    """P11: what a browser without a cache gets, in the encoding that it asks for."""
    fetched = weight.parts(reader.get, page)
    size = sum(len(reader.get(address, encoding="gzip, br")) for address in fetched)
    what = f"page with its {len(fetched) - 1} files, over the wire"
    return bare("P11", what, size / 1000, WEIGHT)
