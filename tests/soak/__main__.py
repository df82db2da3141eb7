"""`make soak`: everything long, for hours; its figures go into docs/exactness.md.

Every part can be run by itself (`--only known,chaos`) and small (`--scale 0.01`, which writes
nothing down); each has its own row in the docs, with the day and the commit. A seed decides which
new pairs of worlds are played; the same `--seed` plays them again. Two parts run at a time, the
longest first.
"""

import argparse
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor, wait
from datetime import UTC, datetime
from threading import Lock

from tests import environment  # noqa: F401 -- all parts share the databases of its folder.
from tests.soak.parts import LOGS, ROOT, Part, parts

PAGE = ROOT / "docs" / "exactness.md"
BEGIN, END = "<!-- written by make soak -->", "<!-- end of what make soak writes -->"
HEAD = "| part | what | outcome | minutes | run on, at |\n|---|---|---|---|---|\n"
AT_A_TIME = 2
REMINDER_SECONDS = 60  # between two lines of progress

_writing = Lock()  # of the page


def run(chosen: list[Part], keep: bool) -> None:
    """All of them, in this order, two at a time; a line of progress now and then.

    If they are to be kept, what a part found is written down as soon as it ends, so that a run
    that is broken off leaves what it has.
    """
    with ThreadPoolExecutor(AT_A_TIME) as pool:
        running = [pool.submit(_run, part, keep) for part in chosen]
        while wait(running, REMINDER_SECONDS).not_done:
            for part in chosen:
                if part.log.exists() and part.code is None:
                    _tell(part, part.log.read_text(errors="replace").splitlines()[-1:])
        for done in running:
            done.result()


def _run(part: Part, keep: bool) -> None:
    _tell(part, [f"begins: {part.what}"])
    part.run()
    _tell(part, [f"{part.seconds / 60:.1f} min; {part.outcome}"])
    if keep:
        with _writing:
            PAGE.write_text(with_row(PAGE.read_text(), part))


def _tell(part: Part, lines: list[str]) -> None:
    for line in lines:
        print(f"{datetime.now(UTC):%H:%M:%S} {part.name}: {line.strip()}", flush=True)


def with_row(page: str, part: Part) -> str:
    """The page with what a part found, in place of what it found the last time."""
    before, _, rest = page.partition(BEGIN)
    table, _, after = rest.partition(END)
    rows = dict(re.findall(r"(?m)^\| (\w+) (\|.*)$", table)) | {part.name: _row(part)}
    rows.pop("part", None)
    kept = "".join(f"| {name} {row}\n" for name, row in rows.items())
    return f"{before}{BEGIN}\n{HEAD}{kept}{END}{after}"


def _row(part: Part) -> str:
    outcome = part.outcome.replace("|", "/")
    when = f"{datetime.now(UTC):%Y-%m-%d}, {commit()[:10] or 'unknown'}"
    return f"| {part.what} | {outcome} | {part.seconds / 60:.1f} | {when} |"


def commit() -> str:
    """The hash of the commit that is checked out; empty outside a repository."""
    command = ["git", "rev-parse", "HEAD"]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return ""
    return done.stdout.strip()


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
    run(chosen, keep=given.scale >= 1)
    failed = [part.name for part in chosen if part.code]
    print(f"Failed: {', '.join(failed)}." if failed else "Nothing failed.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
