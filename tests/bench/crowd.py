"""P4, P7: due work, and a front page, with a million matches and with ten thousand."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial

from tests.bench.floor import DUE, SHOWN
from tests.bench.meter import Effort, compare, cpu_each, take_turns
from tests.bench.pages import TINY
from tests.bench.report import Goal, Result, milliseconds
from tests.bench.service import Reader, Service, postgres, serving, stock

FEW, MANY = 10_000, 1_000_000
GROWTH = Goal(must=1.3, aim=1.1)
HOME = Goal(must=3, aim=2)


def measure(effort: Effort) -> Iterator[Result]:
    with ExitStack() as stack:
        server = stack.enter_context(postgres())
        few, many = (stack.enter_context(serving(server)) for _ in range(2))
        readers = {few: _crowd(few, FEW), many: _crowd(many, MANY)}
        yield from _due(few, many, effort)
        yield from _home(readers, stack.enter_context(stock(server)), effort)


def _crowd(service: Service, matches: int) -> Reader:
    """Fill the database; a player with SHOWN running matches in it."""
    made = service.prepare(matches=SHOWN + 2 * DUE, played=10)
    service.stack.manage("make_crowd", f"--matches={matches}")
    return Reader(service.url, made["people"]["south"])


def _due(few: Service, many: Service, effort: Effort) -> Iterator[Result]:
    """P4."""
    seconds_by_service: dict[Service, list[dict[str, float]]] = {few: [], many: []}
    for _ in range(effort.rounds):
        for service, used in seconds_by_service.items():
            used.append(json.loads(service.stack.manage("measure_due")))
    for name in ("deadlines and reminders", "outbox"):
        comparison = compare(
            [each[name] for each in seconds_by_service[many]],
            [each[name] for each in seconds_by_service[few]],
        )
        yield Result(
            "P4",
            f"{name}, {DUE} due among {MANY:,}, CPU",
            milliseconds(comparison.one),
            f"among {FEW:,}: {milliseconds(comparison.other)}",
            comparison.ratio,
            GROWTH,
        )


def _home(
    readers: dict[Service, Reader], floor: tuple[Service, Reader], effort: Effort
) -> Iterator[Result]:
    """P7."""
    stock_service, visitor = floor
    (few, in_few), (many, in_many) = readers.items()
    times = effort.times(60)
    figures = take_turns(
        {
            "tiny": partial(cpu_each, stock_service.everything, times, partial(visitor.get, TINY)),
            "many": partial(cpu_each, many.everything, times, partial(in_many.get, "/")),
            "few": partial(cpu_each, few.everything, times, partial(in_few.get, "/")),
        },
        effort.rounds,
    )
    against = {"tiny": ("tiny page", HOME), "few": (f"among {FEW:,}", GROWTH)}
    for name, (words, goal) in against.items():
        comparison = compare(figures["many"], figures[name])
        yield Result(
            "P7",
            f"front page, {SHOWN} of {MANY:,} matches one's own, CPU",
            milliseconds(comparison.one),
            f"{words}: {milliseconds(comparison.other)}",
            comparison.ratio,
            goal,
        )
