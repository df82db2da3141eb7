"""The result of a goal: its line in the table, and the page with the last full run."""

import os
import platform
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from string import Template

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "docs" / "performance.md"
HEAD = ("goal", "what", "figure", "against", "value", "must", "aim", "holds")


@dataclass(frozen=True)
class Goal:
    """A bound that is required and one that is aimed at; `least` where more is better."""

    must: float
    aim: float
    unit: str = "x"
    least: bool = False

    def holds(self, value: float) -> str:
        """Which of the two bounds a value keeps."""
        for name, bound in (("aim", self.aim), ("must", self.must)):
            if value >= bound if self.least else value <= bound:
                return name
        return "NO"

    def bound(self, number: float) -> str:
        return f"{'>=' if self.least else '<='} {show(number)} {self.unit}"


@dataclass(frozen=True)
class Result:
    """One line: `value` is what the goal binds, often the ratio of `figure` and `against`."""

    id: str
    what: str
    figure: str
    against: str
    value: float | None  # none where the other side is not available; `against` says why
    goal: Goal | None  # none where the value is only reported

    def cells(self) -> tuple[str, ...]:
        goal = self.goal
        value, bounds, holds = "-", ("-", "-"), "no goal"
        if goal is not None:
            bounds = (goal.bound(goal.must), goal.bound(goal.aim))
            holds = "not measured" if self.value is None else goal.holds(self.value)
        if self.value is not None:
            value = f"{show(self.value)} {goal.unit if goal else 'x'}"
        return (self.id, self.what, self.figure, self.against, value, *bounds, holds)

    def line(self) -> str:
        """The line that is printed while the rest is being measured."""
        _id, what, figure, against, value, must, _aim, holds = self.cells()
        return f"{self.id} {what}: {figure} against {against} = {value} (must be {must}): {holds}"


def bare(id: str, what: str, value: float, goal: Goal) -> Result:
    """A figure that is compared only with its bounds."""
    return Result(id, what, f"{show(value)} {goal.unit}", "-", value, goal)


def show(number: float) -> str:
    """Three figures that count, and never an exponent."""
    return f"{number:.3g}" if abs(number) < 1000 else f"{number:,.0f}"


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def table(results: list[Result]) -> str:
    """The results as a table that reads well in a terminal and as Markdown."""
    rows = [HEAD, *(result.cells() for result in results)]
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEAD))]
    lines = [
        "| "
        + " | ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True))
        + " |"
        for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(lines)


def write_page(results: list[Result]) -> None:
    """Rewrite docs/performance.md with today's figures."""
    text = Template((Path(__file__).parent / "page.md").read_text())
    today = datetime.now(UTC).date().isoformat()
    PAGE.write_text(text.substitute(date=today, machine=machine(), table=table(results)))


def machine() -> str:
    """What it ran on: "Intel Xeon, 2 cores, Linux 6.1, Python 3.11.7"."""
    lines = Path("/proc/cpuinfo").read_text().splitlines()
    names = (line.partition(": ")[2] for line in lines if line.startswith("model name"))
    system = f"{platform.system()} {platform.release()}"
    cores = f"{os.cpu_count()} cores"
    return ", ".join(
        [next(names, platform.machine()), cores, system, f"Python {platform.python_version()}"]
    )
