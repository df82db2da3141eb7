"""`make bench`: every figure that docs/performance.md promises, measured with its floor.

`python -m tests.bench` runs all rows and writes that page; with names (`P1 P2`) those alone, and
with --short a few in less than a minute. The last two write no page.
"""

import argparse
import importlib
import signal
import sys
import time
from collections.abc import Iterator

import tests.environment  # noqa: F401 -- a folder and settings that are nobody's.
from tests.bench.meter import FULL, SHORT, Effort
from tests.bench.report import Result, table, write_page

# The rows of each module; they are measured together.
ROWS = {
    "pages": ("P1", "P3", "P11"),
    "moves": ("P2", "P3"),
    "rates": ("P2b", "P2c", "P8"),
    "crowd": ("P4", "P7"),
    "front_page": ("P7",),
    "playouts": ("P5",),
    "emails": ("P6",),
    "intake": ("P12",),
    "programs": ("P14",),
    "rest": ("P9", "P10"),
    "answers": ("P14",),
}
IN_PASSING = ("P1", "P2", "P5")


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    every = list(dict.fromkeys(row for rows in ROWS.values() for row in rows))
    parser.add_argument("rows", nargs="*", metavar="ROW", help=" ".join(every))
    parser.add_argument("--short", action="store_true", help="a few rows in less than a minute")
    options = parser.parse_args(arguments)
    # At SIGTERM it stops its servers, as it does at a Ctrl-C.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    unknown = [row for row in options.rows if row not in every]
    if unknown:
        parser.error(f"There is no row {unknown[0]}; there are {', '.join(every)}.")
    whole = not options.rows and not options.short
    chosen: list[str] = options.rows or list(IN_PASSING if options.short else every)
    results = list(measure(chosen, SHORT if options.short else FULL))
    print(table(results))
    if whole:
        write_page(results)
    return 0


def measure(chosen: list[str], effort: Effort) -> Iterator[Result]:
    for name, rows in ROWS.items():
        if not set(rows) & set(chosen):
            continue
        start = time.monotonic()
        print(f"{', '.join(rows)} ({name}) ...", file=sys.stderr, flush=True)
        for result in importlib.import_module(f"tests.bench.{name}").measure(effort):
            print(f"  {result.line()}", file=sys.stderr, flush=True)
            yield result
        print(f"  {time.monotonic() - start:.0f} s", file=sys.stderr, flush=True)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
