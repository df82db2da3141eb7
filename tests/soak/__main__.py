"""`make soak`: everything long, in two hours of two cores; its figures go into docs/exactness.md.

Every part can be run by itself (`--only known,chaos`) and small (`--scale 0.01`). A seed decides
what nobody has lived before; the same `--seed` asks for it again. Chaos waits more than it
computes, so it runs beside the others, which take turns.
"""

import argparse
import os
import random
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import UTC, datetime

from tests import environment  # noqa: F401 -- all parts share the databases of its folder.
from tests.rotation import commit
from tests.soak.parts import LOGS, ROOT, Part, parts

PAGE = ROOT / "docs" / "exactness.md"
BEGIN, END = "<!-- written by make soak -->", "<!-- end of what make soak writes -->"
REMINDER_SECONDS = 60  # between two lines of progress


def run(chosen: list[Part]) -> None:
    """All of them, chaos beside the rest; a line of progress now and then."""
    lanes = [[p for p in chosen if p.name == "chaos"], [p for p in chosen if p.name != "chaos"]]
    with ThreadPoolExecutor(len(lanes)) as pool:
        running = [pool.submit(_lane, lane) for lane in lanes]
        while wait(running, REMINDER_SECONDS).not_done:
            for part in chosen:
                if part.log.exists() and part.code is None:
                    _tell(part, part.log.read_text(errors="replace").splitlines()[-1:])
        for lane in running:
            lane.result()


def _lane(lane: list[Part]) -> None:
    for part in lane:
        _tell(part, [f"begins: {part.what}"])
        part.run()
        _tell(part, [f"{part.seconds / 60:.1f} min; {part.outcome}"])


def _tell(part: Part, lines: list[str]) -> None:
    for line in lines:
        print(f"{datetime.now(UTC):%H:%M:%S} {part.name}: {line.strip()}", flush=True)


def table(chosen: list[Part], seed: int) -> str:
    head = (
        f"Run on {datetime.now(UTC):%Y-%m-%d} at commit {commit()[:10] or 'unknown'}, with Python "
        f"{sys.version.split()[0]} on {os.cpu_count()} cores, seed {seed}.\n\n"
        "| part | what | outcome | minutes |\n|---|---|---|---|\n"
    )
    rows = [
        f"| {p.name} | {p.what} | {p.outcome.replace('|', '/')} | {p.seconds / 60:.1f} |\n"
        for p in chosen
    ]
    return head + "".join(rows)


def write_down(text: str) -> None:
    """Into the docs, in place of what the last run found."""
    before, _, rest = PAGE.read_text().partition(BEGIN)
    after = rest.partition(END)[2]
    PAGE.write_text(f"{before}{BEGIN}\n{text}{END}{after}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.soak", description=__doc__)
    parser.add_argument("--only", default="", help="some of the parts, by their names")
    parser.add_argument("--scale", type=float, default=1.0, help="a share of the full size")
    parser.add_argument("--seed", type=int, default=random.randrange(10**6))
    given = parser.parse_args()
    known = parts(given.scale, given.seed)
    names = given.only.split(",") if given.only else [part.name for part in known]
    if strange := set(names) - {part.name for part in known}:
        parser.error(
            f"there is no {', '.join(strange)}; there is {', '.join(p.name for p in known)}"
        )
    chosen = [part for part in known if part.name in names]
    LOGS.mkdir(parents=True, exist_ok=True)
    for part in chosen:
        part.log.unlink(missing_ok=True)
    print(f"Seed {given.seed}. What the parts say is in {LOGS.relative_to(ROOT)}.", flush=True)
    run(chosen)
    found = table(chosen, given.seed)
    print(f"\n{found}")
    if chosen == known and given.scale >= 1:
        write_down(found)
    failed = [part.name for part in chosen if part.code]
    print(f"Failed: {', '.join(failed)}." if failed else "Nothing failed.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
