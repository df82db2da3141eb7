"""Client of the thinking child process: sends a seat's protocol lines, gets a move or beliefs.

Each process of the service asks one question at a time, which limits the load: if the house plays
many matches, only its worker falls behind.
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
ANSWER_SECONDS = 90  # more than the limit in child_server
MAX_WAITING = 2  # of the four threads of a web process; a worker asks one question at a time

child = Child(PROGRAM, ANSWER_SECONDS, MAX_WAITING)


class Thought(NamedTuple):
    """A move, and the evaluations of the seat's last turns, from -1 (lost) to 1 (won)."""

    move: str
    evaluations: tuple[float, ...]


class NoThought(Exception):  # noqa: N818 - the question can be asked again.
    """No level found a move, and the last line lists no legal move."""


def think(lines: Sequence[Line], seed: int, level: str) -> Thought:
    """The move of a house opponent in answer to the last line.

    If the fork exceeds its limits, a recruit answers; if that fails too, a random legal move.
    Raises ChildLost if no child process can be started, NoThought if everything fails.
    """
    for attempt in dict.fromkeys((level, RECRUIT.name)):
        answer = _ask(lines, seed, attempt, "move")
        if answer and answer.get("move"):
            return Thought(str(answer["move"]), _evaluations(answer))
    legal = lines[-1].get("legal")
    if not legal:
        raise NoThought
    return Thought(Random(f"{seed}/{len(lines)}").choice(legal), ())  # noqa: S311 - no secret


def evaluations(lines: Sequence[Line], seed: int, level: str) -> tuple[float, ...]:
    """The evaluations of the seat's last turns, from -1 (lost) to 1 (won); empty on failure."""
    return _evaluations(_ask(lines, seed, level, "evaluations") or {})


def beliefs(lines: Sequence[Line], seed: int, level: str) -> dict[str, dict[str, float]]:
    """The belief at the last line: for the square of each enemy piece, the chance of each rank."""
    answer = _ask(lines, seed, level, "beliefs")
    by_square: dict[str, dict[str, float]] = answer["beliefs"] if answer else {}
    return by_square


def stop() -> None:
    """Stop the child process of this process, if there is one."""
    child.stop()


def _evaluations(answer: dict[str, Any]) -> tuple[float, ...]:
    return tuple(map(float, answer.get("evaluations", ())))


def _ask(lines: Sequence[Line], seed: int, level: str, want: str) -> dict[str, Any] | None:
    """The child's answer; None if its fork died."""
    question = {"lines": list(lines), "seed": seed, "level": level, "want": want}
    answer: dict[str, Any] = json.loads(child.ask(json.dumps(question).encode("ascii")) or "{}")
    return answer or None


def player_of(seed: int, level: str) -> Player:
    """A player in this process; enough for a set-up, which needs no search."""
    return Player(seed, LEVELS[level])
