"""P9, P10: the embedded default, as a newcomer runs it: idle load, and time to start."""

import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.meter import Effort, cpu_seconds, memory, percentile, wall
from tests.bench.report import Goal, Result, bare
from tests.bench.service import redis
from tests.preloaded import ROOT
from tests.servers import free_port, wait_for
from tests.stack import Stack

MEMORY = Goal(must=350, aim=250, unit="MiB")
IDLE = Goal(must=1.5, aim=0.5, unit="% of a core")
WAKE_UP = Goal(must=20, aim=4)
FIRST = Goal(must=20, aim=8, unit="s")
SECOND = Goal(must=4, aim=2)

REST = 20  # seconds
WAKE_UPS = 60
TASKS = {"DJANGO_SETTINGS_MODULE": "tests.bench.settings"}
WAKE_ALL = """
import random, time
from tests.config.tasks import note
for number in range({count}):
    note.delay({path!r}, time.time())
    time.sleep(random.uniform(0.05, 0.35))  # in step with no clock of a worker's
"""


def measure(effort: Effort) -> Iterator[Result]:
    with clone() as folder:
        first = _seconds_to_the_first_page(folder)
        seconds, checks = [], []
        for _ in range(effort.rounds):
            seconds.append(_seconds_to_the_first_page(folder))
            checks.append(wall(lambda: manage(folder, "check").wait()))
        yield from _at_rest(folder)
    yield from _wake_ups()
    yield bare("P10", "first start, beyond what pip takes", first, FIRST)
    again, check = statistics.median(seconds), statistics.median(checks)
    yield Result(
        "P10",
        "second start",
        f"{again:.2f} s",
        f"manage.py check: {check:.2f} s",
        statistics.median(a / b for a, b in zip(seconds, checks, strict=True)),
        SECOND,
    )


@contextmanager
def clone() -> Iterator[Path]:
    """The files that git tracks, with nothing compiled."""
    with tempfile.TemporaryDirectory(prefix="estafette-clone-") as name:
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        files = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
        for path in filter(None, files.split("\0")):
            if (ROOT / path).is_file():
                target = Path(name) / path
                target.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(ROOT / path, target)
        yield Path(name)


def manage(folder: Path, *arguments: str) -> "subprocess.Popen[bytes]":
    """`manage.py` in a clone, without this environment."""
    return subprocess.Popen(
        [sys.executable, "manage.py", *arguments],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin"},
        stdout=subprocess.PIPE if arguments[0] == "shell" else subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


@contextmanager
def up(folder: Path, port: int = 0) -> Iterator["subprocess.Popen[bytes]"]:
    """`manage.py up --demo`, from the command to the first page that is answered."""
    port = port or free_port()
    process = manage(folder, "up", "--demo", "--port", str(port))

    def answers() -> bool:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=30) as page:
            return bool(page.status == 200)

    try:
        wait_for(answers, "A page should be answered.")
        yield process
    finally:
        process.terminate()
        process.wait()


def _seconds_to_the_first_page(folder: Path) -> float:
    start = time.perf_counter()
    with up(folder):
        return time.perf_counter() - start


def _at_rest(folder: Path) -> Iterator[Result]:
    with up(folder) as process:
        time.sleep(10)  # the demo's e-mails
        before = cpu_seconds([process.pid])
        time.sleep(REST)
        used = (cpu_seconds([process.pid]) - before) / REST * 100
        yield bare("P9", "embedded default at rest, memory", memory([process.pid]), MEMORY)
        yield bare("P9", "embedded default at rest, CPU", used, IDLE)


def _wake_ups() -> Iterator[Result]:
    with redis() as broker:
        embedded, with_broker = (_delays(None), _delays(broker.url))
    yield Result(
        "P9",
        "from a wake-up to its run, embedded, p95",
        f"{embedded * 1000:.1f} ms",
        f"Redis: {with_broker * 1000:.1f} ms",
        embedded / with_broker,
        WAKE_UP,
    )


def _delays(broker_url: str | None) -> float:
    """Seconds from a message to its run, of which 95 in 100 take no more."""
    with Stack(broker_url=broker_url, web=0, beat=0, extra=TASKS) as stack:
        path = stack.var / "notes"
        stack.shell(WAKE_ALL.format(count=WAKE_UPS, path=str(path)))
        wait_for(lambda: path.read_text().count("\n") == WAKE_UPS, "All should be run.")
        lines = [line.split() for line in path.read_text().splitlines()]
    return percentile((float(ran) - float(sent) for sent, ran in lines[5:]), 95)
