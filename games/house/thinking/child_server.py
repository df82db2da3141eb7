"""Server of the thinking child: answers lines of the protocol, each question in a fork of its own.

A fork has its question and no way to anything else: no environment, no open file or connection, and
none that it could open. It answers in JSON.
"""

import json
import os
from random import Random
from typing import Any

from games.bots.arena.match import Referee
from games.bots.levels import LEVELS, RECRUIT
from games.bots.player import Player
from games.protocol.lines import Line
from games.rules import registry
from lib import child_server

LIMITS = child_server.Limits(
    cpu_seconds=30,  # many times what the rules of the levels allow, on a slow machine
    wall_seconds=60,
    memory_bytes=200 * 1024 * 1024,
    open_files=0,
)
NICENESS = 10  # pages and e-mails go first
MAX_STANDINGS = 6  # turns of which it is told how the seat stood
WARMING_ANSWERS = 3


def serve() -> None:
    """Answer until standard input ends."""
    os.nice(NICENESS)
    child_server.serve(answer, LIMITS, warm_up)


def answer(question: bytes) -> bytes:
    """What to play or what is believed by the lines so far, and how the seat stands."""
    asked = json.loads(question)
    player = Player(asked["seed"], LEVELS[asked["level"]])
    lines: list[Line] = asked["lines"]
    standings = []
    said: dict[str, Any] = {}
    for number, line in enumerate(lines, 1):
        if number == len(lines) and asked["want"] == "move":
            said["move"] = player.answer(line)
            said["looked"] = player.looked
        else:
            player.hear(line)
        if number > len(lines) - MAX_STANDINGS:
            standings.append(player.evaluate())
    if asked["want"] == "beliefs":
        said["believes"] = player.believes()
    return json.dumps(said | {"standings": standings}).encode("ascii")


class _Here:
    """A player of the arena in this process, who soon has had enough."""

    def __init__(self) -> None:
        self.player = Player(0, RECRUIT)
        self.left = WARMING_ANSWERS

    def ask(self, line: Line, wall_seconds: float) -> str:
        self.left -= 1
        if not self.left:
            self.player.believes()
            self.player.evaluate()
            raise _Enough
        return self.player.answer(line) or ""

    def tell(self, line: Line) -> None:
        """It wants to hear no more."""


class _Enough(Exception):  # noqa: N818 - nothing is wrong.
    """Everything has been used once."""


def warm_up() -> None:
    """Use everything once, since no fork can open a file, and so import nothing."""
    for family in registry.games:
        try:
            rules = registry.games[family][0]
            Referee(rules, (_Here(), _Here()), LIMITS.wall_seconds).play(1)
        except _Enough:
            continue
    answer(json.dumps({"seed": 0, "level": "recruit", "lines": [], "want": "move"}).encode())
    Random("a seed that is a text").random()  # noqa: S311 - nothing is drawn.
