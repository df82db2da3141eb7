"""Thinking in a limited child process: a seat's lines go in, a move or its beliefs come out.

One thought at a time in each process, which is the ceiling: beside its worker no other is kept
waiting, however many matches the house plays.
"""

import json
from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from games.bots.levels import LEVELS, RECRUIT
from games.bots.player import Player
from games.protocol.lines import Line
from lib.child_processes import Child

PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    "from games.house.thinking.child_server import serve; serve()"
)
ANSWER_SECONDS = 90  # the server gives up a thought before

MAX_WAITING = 2  # of the four threads of a web process; a worker asks one thing at a time

mind = Child(PROGRAM, ANSWER_SECONDS, MAX_WAITING)


class Thought(NamedTuple):
    """What to play, and how the seat has stood at its last turns, from -1 (lost) to 1 (won)."""

    move: str
    standings: tuple[float, ...]


class NoThought(Exception):  # noqa: N818 - it may be thought again.
    """Nobody could think about it, however little."""


def think(lines: Sequence[Line], seed: int, level: str) -> Thought:
    """What a house opponent would play at the last of these lines.

    A thought that dies of its limits is thought again as a recruit would, and after that any legal
    move is as good. Raises ChildLost if there is no process to think in, NoThought if all fails.
    """
    for how in dict.fromkeys((level, RECRUIT.name)):
        said = _ask(lines, seed, how, "move")
        if said and said.get("move"):
            return Thought(str(said["move"]), _standings(said))
    legal = lines[-1].get("legal")
    if not legal:
        raise NoThought
    return Thought(Random(f"{seed}/{len(lines)}").choice(legal), ())  # noqa: S311 - no secret


def standings(lines: Sequence[Line], seed: int, level: str) -> tuple[float, ...]:
    """How the seat has stood at the last of these lines, from -1 (lost) to 1 (won)."""
    return _standings(_ask(lines, seed, level, "standings") or {})


def beliefs(lines: Sequence[Line], seed: int, level: str) -> dict[str, dict[str, float]]:
    """What was believed at the last of these lines: by square, the chance of each rank."""
    said = _ask(lines, seed, level, "beliefs")
    found: dict[str, dict[str, float]] = said["believes"] if said else {}
    return found


def stop() -> None:
    """End the thinking process of this process, if there is one."""
    mind.stop()


def _standings(said: dict[str, Any]) -> tuple[float, ...]:
    return tuple(map(float, said.get("standings", ())))


def _ask(lines: Sequence[Line], seed: int, level: str, want: str) -> dict[str, Any] | None:
    question = {"lines": list(lines), "seed": seed, "level": level, "want": want}
    said: dict[str, Any] = json.loads(mind.ask(json.dumps(question).encode("ascii")) or "{}")
    return said or None


def player_of(seed: int, level: str) -> Player:
    """A player in this process, for a set-up, which needs no thought."""
    return Player(seed, LEVELS[level])
