"""The actions of the players and their answers, in order."""

import json
import threading
import time
from pathlib import Path
from typing import Any, NamedTuple


class Action(NamedTuple):
    """A form or a message, sent until it was answered.

    `outcome` is "ok" (a redirect; a receipt of a move), "fail" (a refusal) or "info" (no answer, or
    no receipt yet). The `key` of a message is its Message-ID.
    """

    player: str
    what: str  # move, resign
    match: int
    ply: int  # the ply that it would become
    text: str
    key: str
    outcome: str = "info"
    status: int = 0
    tries: int = 0
    seconds: float = 0.0

    @property
    def is_by_mail(self) -> bool:
        return self.key.startswith("<")


class History:
    def __init__(self, path: Path) -> None:
        self.actions: list[Action] = []
        self._lock = threading.Lock()
        self._began = time.monotonic()
        self._file = path.open("w")

    def close(self) -> None:
        self._file.close()

    def note(self, action: Action) -> None:
        with self._lock:
            self.actions.append(action)
            self._write(action._asdict())

    def remark(self, **what: Any) -> None:
        """Faults and their repairs during the actions."""
        with self._lock:
            self._write(what)

    def _write(self, what: dict[str, Any]) -> None:
        at = round(time.monotonic() - self._began, 3)
        self._file.write(json.dumps({"at": at, **what}) + "\n")
        self._file.flush()
