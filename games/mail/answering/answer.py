"""Answer: the outcome of a message, and the contents of its receipt."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from games.mail.models import MessageOutcome
from games.notifications.models import Asks


@dataclass(frozen=True)
class Answer:
    """The outcome of a message, and what its receipt says.

    `lines`: sentences in the player's language; the first one says what was understood. Below, the
    receipt shows the match at the time of sending, and `parts`: pairs of a heading ("" for none)
    and lines. `several` are the matches of a message with actions in more than one.
    """

    outcome: MessageOutcome
    lines: tuple[str, ...] = field(default=(), repr=False)
    match_id: int | None = None
    invitation_id: int | None = None
    board: str = "usual"  # "usual", "list" or "" for none
    parts: tuple[tuple[str, tuple[str, ...]], ...] = field(default=(), repr=False)
    drawing: tuple[str, ...] = field(default=(), repr=False)  # lines of equal width
    asks: Asks = Asks.NOTHING
    proposal: str = field(default="", repr=False)
    several: tuple[int, ...] = ()
    overtaken: bool = False  # see admin_alerts.py
    # Something was refused, asked or failed next to a move: receipts of moves that were played can
    # be switched off, this one not.
    has_more: bool = False

    def as_json(self) -> dict[str, Any]:
        """The contents of the receipt, to be sealed and stored."""
        return {
            "outcome": self.outcome,
            "lines": list(self.lines),
            "match_id": self.match_id,
            "several": list(self.several),
            "invitation_id": self.invitation_id,
            "board": self.board,
            "parts": [[heading, list(lines)] for heading, lines in self.parts],
            "drawing": list(self.drawing),
            "asks": self.asks,
            "proposal": self.proposal,
        }

    @classmethod
    def from_json(cls, stored: dict[str, Any]) -> Answer:
        """The answer that `as_json` stored."""
        return cls(
            outcome=MessageOutcome(stored["outcome"]),
            lines=tuple(stored["lines"]),
            match_id=stored["match_id"],
            several=tuple(stored.get("several", ())),
            invitation_id=stored["invitation_id"],
            board=stored["board"],
            parts=tuple((heading, tuple(lines)) for heading, lines in stored["parts"]),
            drawing=tuple(stored["drawing"]),
            asks=Asks(stored["asks"]),
            proposal=stored["proposal"],
        )
