"""CPU time of running processes, and rounds in which the compared things alternate.

The machine may be busy with other things: what counts is what a process used, and a ratio between
two things of the same round.
"""

import os
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from statistics import median

TICK = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Effort:
    """How long to measure: so many rounds, and in each this part of the usual number of calls."""

    rounds: int = 5
    part: float = 1.0

    @property
    def is_short(self) -> bool:
        """A short run: measurements with a long preparation are left out."""
        return self.part < 1

    def times(self, usual: int) -> int:
        return max(1, round(usual * self.part))


FULL = Effort()
SHORT = Effort(rounds=3, part=0.25)


def cpu_seconds(roots: Iterable[int]) -> float:
    """What these processes and all that they have started used so far.

    Exact for those that run; of those that have ended, to 1/100 s.
    """
    children: dict[int, list[int]] = defaultdict(list)
    used: dict[int, float] = {}
    for pid, fields in _processes():
        children[int(fields[1])].append(pid)
        ended_children = sum(map(int, fields[13:15])) / TICK
        try:
            used[pid] = time.clock_gettime(_cpu_clock(pid)) + ended_children
        except OSError:  # it has just ended
            continue
    return sum(used.get(pid, 0.0) for pid in _family(roots, children))


def _cpu_clock(pid: int) -> int:
    """The clock of a process for time.clock_gettime(), as clock_getcpuclockid() of Linux makes it.

    Its figures in /proc are rounded to 1/100 s, which is several pages.
    """
    return ~pid << 3 | 2


def memory(roots: Iterable[int]) -> float:
    """The memory of these processes and all that they have started, in MiB.

    What several of them share is counted once (PSS).
    """
    children: dict[int, list[int]] = defaultdict(list)
    for pid, fields in _processes():
        children[int(fields[1])].append(pid)
    return sum(map(_proportional_kib, _family(roots, children))) / 1024


def _processes() -> Iterable[tuple[int, list[str]]]:
    """Every process with its fields in /proc/PID/stat from the third on."""
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = path.read_text()
        except OSError:  # it has just ended
            continue
        yield int(path.parent.name), text.rpartition(")")[2].split()


def _family(roots: Iterable[int], children: Mapping[int, list[int]]) -> list[int]:
    family = list(roots)
    for pid in family:
        family += children.get(pid, [])
    return family


def _proportional_kib(pid: int) -> int:
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


@dataclass(frozen=True)
class Comparison:
    """Two things measured in the same rounds: medians, and the median of the rounds' ratios."""

    one: float
    other: float
    ratio: float


def take_turns(measures: Mapping[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """What each measure gave in so many rounds, A B A B; a first round only warms up."""
    results: dict[str, list[float]] = {name: [] for name in measures}
    for number in range(rounds + 1):
        for name, measure in measures.items():
            value = measure()
            if number:
                results[name].append(value)
    return results


def compare(one: list[float], other: list[float]) -> Comparison:
    ratios = [a / b for a, b in zip(one, other, strict=True)]
    return Comparison(median(one), median(other), median(ratios))


def cpu_each(roots: Callable[[], Iterable[int]], times: int, do: Callable[[], object]) -> float:
    """CPU seconds that the processes used for each of `times` calls."""
    before = cpu_seconds(roots())
    for _ in range(times):
        do()
    return (cpu_seconds(roots()) - before) / times


def cpu_here(do: Callable[[], object]) -> float:
    """CPU seconds that this process used."""
    start = time.process_time()
    do()
    return time.process_time() - start


def wall(do: Callable[[], object]) -> float:
    """Seconds by the clock."""
    start = time.perf_counter()
    do()
    return time.perf_counter() - start


def percentile(values: Iterable[float], percent: float) -> float:
    """The value that this percentage of the values does not exceed."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))]
