"""`make scale`: P13, what everything costs among a million matches, against ten thousand.

Fills two databases of a PostgreSQL of its own with copies of a small world, plies sealed again, and
measures every page, every list of the admin and every task in both by turns. It needs 20 GB of disk
and writes the table of docs/running/scale.md. With `--matches` fewer it is a trial and writes
nothing. `nice -n 15` before it leaves the machine to others; both databases are measured alike.
"""

import argparse
import json
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from statistics import median
from typing import Any, NamedTuple

import tests.environment  # noqa: F401 -- a folder and settings that are nobody's.
from tests.bench.report import ROOT, Goal, machine, show
from tests.servers import Postgres
from tests.stack import Stack

GROWTH = Goal(must=1.3, aim=1.1)
FEW, MANY = 10_000, 1_000_000
BYTES_A_MATCH = 20_000  # with all that belongs to it, and the log while it is filled
PAGE = ROOT / "docs" / "running" / "scale.md"
BEGIN, END = "<!-- written by make scale -->", "<!-- end of what make scale writes -->"
SHOWN = 15  # lines of the table that the page has, those that grow most
SLIGHT_SECONDS = 0.0003  # below that, a ratio says more of the clock than of the act
ENVIRONMENT = {
    "DJANGO_SETTINGS_MODULE": "tests.bench.settings",
    "DEMO": "true",
    "SITE_URL": "http://localhost",
    "API_LIMITS": "off",
    "METRICS_TOKEN": "scale-scale-scale-scale-scale-scale",
}
SETTINGS = {
    # For filling.
    "wal_level": "minimal",
    "max_wal_senders": "0",
    "full_page_writes": "off",
    "max_wal_size": "8GB",
    "checkpoint_timeout": "1h",
    "maintenance_work_mem": "512MB",
    "autovacuum": "off",
    # For measuring: a parallel worker's time would not be counted.
    "max_parallel_workers_per_gather": "0",
    "shared_buffers": "1GB",
}


class Line(NamedTuple):
    """What an act costs among many and among few, in CPU seconds, and the indexes it uses."""

    name: str
    many: float
    few: float
    ratio: float
    indexes: list[str]
    whole_tables: list[str]

    @property
    def holds(self) -> str:
        return "slight" if self.many < SLIGHT_SECONDS else GROWTH.holds(self.ratio)


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.scale", description=__doc__)
    parser.add_argument("--matches", type=int, default=MANY)
    parser.add_argument("--few", type=int, default=FEW)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--times", type=int, default=20, help="calls of an act for one figure")
    parser.add_argument("--only", default="", help="measure acts with this in their names")
    parser.add_argument("--plans", action="store_true", help="print plans that read many rows")
    options = parser.parse_args(arguments)
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    wanted = options.matches * BYTES_A_MATCH
    if (free := shutil.disk_usage(tempfile.gettempdir()).free) < wanted:
        parser.error(f"It needs {wanted / 1e9:.0f} GB of disk; there are {free / 1e9:.0f} GB.")
    with filled({"few": options.few, "many": options.matches}) as (services, sizes):
        lines = measure(services, options)
    print(table(lines))
    failed = [line.name for line in lines if line.holds == "NO"]
    print(f"{len(lines)} acts; over {GROWTH.must} x: {', '.join(failed) or 'none'}")
    if options.matches >= MANY and not options.only:
        write_page(lines, sizes, options)
    return int(bool(failed))


def tell(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


@contextmanager
def filled(counts: dict[str, int]) -> Iterator[tuple[dict[str, Stack], dict[str, dict[str, int]]]]:
    """A database with so many matches for each name, and the rows of its largest tables."""
    server = Postgres(settings=SETTINGS)
    stacks: dict[str, Stack] = {}
    try:
        server.start()
        small = _stack(server.create("world"))
        stacks["world"] = small
        small.manage("migrate", "-v0", "--run-syncdb")
        small.manage("prepare")
        timed("the small world", lambda: small.manage("make_world"))
        small.forget()
        sizes: dict[str, dict[str, int]] = {}
        for name, count in counts.items():
            url = server.create("scale", small.environment["DATABASE_URL"].rpartition("/")[2])
            # The same keys, or nothing that is sealed would open.
            stacks[name] = service = _stack(url, VAR_DIR=str(small.var))
            timed(
                f"{count:,} matches",
                lambda service=service, count=count: service.manage(
                    "copy_world", f"--matches={count}"
                ),
            )
            service.manage("measure_world", "--make-due")
            with server.connect(url.rpartition("/")[2]) as connection:
                connection.execute("CHECKPOINT")
                sizes[name] = dict(connection.execute(ROWS).fetchall())
        yield {name: stacks[name] for name in counts}, sizes
    finally:
        for stack in stacks.values():
            stack.stop()
        server.stop()


ROWS = """
    SELECT relname::text, n_live_tup FROM pg_stat_user_tables ORDER BY n_live_tup DESC LIMIT 12
"""


def _stack(url: str, **more: str) -> Stack:
    extra = {**ENVIRONMENT, **more}
    return Stack(database_url=url, web=0, workers=0, beat=0, extra=extra)


def timed(what: str, do: Any) -> None:
    begun = time.monotonic()
    do()
    tell(f"{what}: {time.monotonic() - begun:.0f} s")


def measure(services: dict[str, Stack], options: argparse.Namespace) -> list[Line]:
    only = f"--only={options.only}"
    figures_by_kind: dict[str, list[dict[str, float]]] = {name: [] for name in services}
    for number in range(options.rounds):
        for name, service in services.items():
            output = service.manage("measure_world", f"--times={options.times}", only)
            figures_by_kind[name].append(json.loads(output))
        tell(f"round {number + 1} of {options.rounds}")
    plans = json.loads(services["many"].manage("measure_world", "--plans", only))
    lines = []
    for name, plan in plans.items():
        many, few = ([each[name] for each in figures_by_kind[kind]] for kind in ("many", "few"))
        ratio = median(one / other for one, other in zip(many, few, strict=True))
        line = Line(name, median(many), median(few), ratio, plan["indexes"], plan["whole"])
        lines.append(line)
        if options.plans:
            for large in plan["large"]:
                tell(f"--- {name}, {large}")
    return sorted(lines, key=lambda line: -line.ratio)


def cells(line: Line) -> tuple[str, ...]:
    by = [name for name in line.indexes if not name.endswith(("_pkey", "_key", "_uniq"))]
    milliseconds = (f"{seconds * 1000:.2f} ms" for seconds in (line.many, line.few))
    return (line.name, *milliseconds, f"{show(line.ratio)} x", line.holds, ", ".join(by))


def table(lines: list[Line]) -> str:
    head = ("what", "among many", "among few", "ratio", "holds", "indexes other than keys")
    rows = [head, ("---",) * len(head), *map(cells, lines)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def write_page(
    lines: list[Line], sizes: dict[str, dict[str, int]], options: argparse.Namespace
) -> None:
    """The part of docs/running/scale.md between its marks, with today's figures."""
    kept = sum(line.holds in ("aim", "slight") for line in lines)
    over = [line.name for line in lines if line.holds == "NO"]
    rows = ", ".join(f"{count:,} `{name}`" for name, count in sizes["many"].items())
    lines_of_text = (
        f"Measured on {datetime.now(UTC).date().isoformat()}: {machine()}. {len(lines)} pages, "
        f"lists and tasks, {options.matches:,} matches against {options.few:,}; {kept} cost at "
        f"most {show(GROWTH.aim)} times as much, and {len(over)} more than {show(GROWTH.must)} "
        f"times{': ' + ', '.join(over) if over else ''}. Rows: {rows}."
    )
    text = PAGE.read_text()
    before, _, rest = text.partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n{lines_of_text}\n\n{table(lines[:SHOWN])}\n{END}{after}")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
