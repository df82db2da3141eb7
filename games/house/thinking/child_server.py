"""Server of the thinking child process: answers each question of the client in a fork.

A fork has only its question: no environment, no open files or connections, and it can open none.
Questions and answers are JSON.
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
    cpu_seconds=30,  # many times what any level needs, even on a slow machine
    wall_seconds=60,
    memory_bytes=200 * 1024 * 1024,
)
NICENESS = 10  # Pages and e-mails have priority.
MAX_EVALUATIONS = 6  # turns whose evaluations are returned
WARM_UP_ANSWERS = 3


def serve() -> None:
    """Answer questions from standard input until it ends."""
    os.nice(NICENESS)
    child_server.serve(answer, LIMITS, warm_up)


def answer(question: bytes) -> bytes:
    """Answer a question of `child_client` with a move or beliefs, and the last evaluations."""
    query = json.loads(question)
    player = Player(query["seed"], LEVELS[query["level"]])
    lines: list[Line] = query["lines"]
    evaluations = []
    result: dict[str, Any] = {}
    for number, line in enumerate(lines, 1):
        if number == len(lines) and query["want"] == "move":
            result["move"] = player.answer(line)
            result["nodes"] = player.nodes
        else:
            player.update(line)
        if number > len(lines) - MAX_EVALUATIONS:
            evaluations.append(player.evaluate())
    if query["want"] == "beliefs":
        result["beliefs"] = player.beliefs()
    return json.dumps(result | {"evaluations": evaluations}).encode("ascii")


class _WarmUpPlayer:
    """An arena player in this process that stops the match after a few answers."""

    def __init__(self) -> None:
        self.player = Player(0, RECRUIT)
        self.left = WARM_UP_ANSWERS

    def ask(self, line: Line, wall_seconds: float) -> str:
        self.left -= 1
        if not self.left:
            self.player.beliefs()
            self.player.evaluate()
            raise _WarmedUp
        return self.player.answer(line) or ""

    def tell(self, line: Line) -> None:
        """Ignores the end of a match."""


class _WarmedUp(Exception):  # noqa: N818 - not an error.
    """Ends a warm-up match."""


def warm_up() -> None:
    """Load all modules by playing: a fork can open no file, so it cannot import anything."""
    for family in registry.games:
        try:
            rules = registry.games[family][0]
            Referee(rules, (_WarmUpPlayer(), _WarmUpPlayer()), LIMITS.wall_seconds).play(1)
        except _WarmedUp:
            continue
    answer(json.dumps({"seed": 0, "level": "recruit", "lines": [], "want": "move"}).encode())
    Random("a text as seed").random()  # noqa: S311 - the number is not used.
