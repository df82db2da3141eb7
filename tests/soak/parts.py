"""The parts of a soak: which commands, at what size, and what of their output is a figure."""

import os
import re
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
LOGS = ROOT / "var" / "soak"
LONGEST_SECONDS = 4 * 3600  # of a single test
OPTIONS = ["-q", "-n", "2", "--dist", "worksteal"]
OPTIONS += ["-o", f"faulthandler_timeout={LONGEST_SECONDS}"]
PASSED = r"\d+ (?:passed|failed|error)[^\n=]* in [^\n=(]+"


@dataclass
class Part:
    """A command, and how it went. `says`: what of its output is a figure, as a pattern."""

    name: str
    what: str
    command: list[str]
    says: str = PASSED
    environment: dict[str, str] = field(default_factory=dict)
    seconds: float = 0.0
    code: int | None = None  # that it ended with

    @property
    def log(self) -> Path:
        return LOGS / f"{self.name}.log"

    @property
    def outcome(self) -> str:
        output = self.log.read_text(errors="replace")
        figures = (figure[0] for figure in re.finditer(self.says, output))
        return ("FAILED: " if self.code else "") + "; ".join(map(str.strip, figures))

    def run(self) -> None:
        began = time.monotonic()
        environment = {**os.environ, **self.environment}
        with self.log.open("w") as log:
            done = subprocess.run(self.command, cwd=ROOT, env=environment, stdout=log, stderr=log)
        self.seconds, self.code = time.monotonic() - began, done.returncode


def parts(scale: float, seed: int) -> list[Part]:
    """Each at its full size, or at this share of it; those first that take longest."""

    def scaled(number: int, least: int) -> str:
        return str(max(least, round(number * scale)))

    pairs, fresh, plies = scaled(2200, 88), scaled(1100, 88), scaled(2000, 48)
    backups = scaled(30, 2)
    months, trials, rests = scaled(1000, 4), scaled(10_000, 100), scaled(100_000, 100)
    return [
        _chaos(scaled(500, 5), scaled(3600, 20), scaled(170, 8), seed),
        Part(
            "simulation",
            f"{months} simulated months, from seed {1000 * seed} on",
            _module("tests.simulation", jobs="2", seeds=months, first=str(1000 * seed)),
            r"WRONG[^\n]*|\b(?P<all>\d+) of (?P=all) seeds, \d+ wrong",
        ),
        _tests(
            "racers",
            f"{plies} plies, 16 racers on each, and as many forms 16 times at once, on both",
            "races/test_racers.py",
            RACE_PLIES=plies,
            RACERS="16",
        ),
        Part(
            "tests",
            "every test, those that make test leaves out among them",
            _pytest("tests"),
            environment={
                "SIMULATED_MONTHS": "6",  # the first seeds, of which make test has two
                "PLAN_RACES": "40",
                "REST_EXAMPLES": "500",
                "PLAN_RACER_TURNS": "20",
            },
        ),
        _tests(
            "deadlines",
            f"{trials} moves against their deadlines, on SQLite and on PostgreSQL",
            "races/test_move_against_time.py",
            RACE_TRIALS=trials,
        ),
        _tests(
            "known",
            f"all {pairs} known pairs of worlds",
            "secrecy/test_twins.py",
            TWIN_PAIRS=pairs,
        ),
        _tests(
            "fresh",
            f"{fresh} new pairs of worlds, by seed {seed}",
            "secrecy/test_twins.py",
            TWIN_PAIRS=fresh,
            TWIN_SEED=str(seed),
        ),
        _tests(
            "rests",
            f"{rests} deadlines among nights and days off, by two rules",
            "play/clocks/test_rest.py",
            REST_EXAMPLES=rests,
        ),
        Part(
            "postgresql",
            "what is marked for PostgreSQL, with a pair of worlds of each preset",
            _module("tests.on_postgres", tier="soak") + OPTIONS,
        ),
        _tests(
            "backups",
            f"{backups} backups while people play, each restored and looked through, on both",
            "races/test_backup_under_load.py",
            BACKUPS=backups,
        ),
        Part(
            "image",
            "the steps of the container's image as a script, and what it starts",
            _module("tests.image"),
            r"Web server, worker and beat run\.|\w+ ended\.",
        ),
    ]


def _tests(name: str, what: str, path: str, **environment: str) -> Part:
    return Part(name, what, _pytest(f"tests/{path}"), environment=environment)


def _pytest(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "pytest", *OPTIONS, *arguments]


def _chaos(kills: str, seconds: str, matches: str, seed: int) -> Part:
    options = {"kills": kills, "seconds": seconds, "people": "8", "matches": matches}
    return Part(
        "chaos",
        f"{kills} times kill -9 under 8 people who play on, and other harms, by seed {seed}",
        _module("tests.chaos", **options, seed=str(seed)),
        r"(?m)^(?:.* actions \(|.* e-mails, |.* kills; |WRONG|\d+ faults).*",
    )


def _module(name: str, **options: str) -> list[str]:
    given = [word for option, value in options.items() for word in (f"--{option}", value)]
    return [sys.executable, "-m", name, *given]
