"""A case: one message that is to be answered, with all that its commands may need to know."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any

from accounts.models import User
from games.mail.models import MessageOutcome
from games.notifications.models import Asks, Purpose, ReplyAddress
from games.play.record.match_view import MatchView, view_match


@dataclass(frozen=True)
class Case:
    """A message of a player: whom it is from, what it answers, and when it arrived."""

    user: User
    purpose: Purpose
    arrived: datetime
    now: datetime
    match_id: int | None = None
    ply: int | None = None
    invitation_id: int | None = None
    matches: dict[int, int] = field(default_factory=dict)  # of a digest: number and ply
    asks: Asks = Asks.NOTHING
    proposal: str = field(default="", repr=False)
    is_afterwards: bool = False  # its match has been over for long
    own_lines: tuple[str, ...] = field(default=(), repr=False)

    @classmethod
    def of(cls, address: ReplyAddress, **facts: Any) -> Case:
        """The case of an answer to an e-mail."""
        return cls(
            user=address.user,
            purpose=Purpose(address.purpose),
            match_id=address.match_id,
            ply=address.ply,
            invitation_id=address.invitation_id,
            matches={int(number): ply for number, ply in address.matches.items()},
            asks=Asks(address.asks),
            **facts,
        )

    def about(self, match_id: int, ply: int) -> Case:
        """The same for one match of a digest."""
        return replace(self, match_id=match_id, ply=ply)

    @property
    def waited(self) -> timedelta:
        """How long ago the message arrived."""
        return max(self.now - self.arrived, timedelta(0))

    def view(self) -> MatchView:
        """The match as the player sees it now; raises Match.DoesNotExist."""
        assert self.match_id is not None  # noqa: S101 - asked where a match is known
        return view_match(self.match_id, self.user)


@dataclass(frozen=True)
class Answer:
    """What became of a message, and what its receipt says.

    `lines` are sentences in the player's language, the first of them telling what was understood.
    Beneath, the receipt shows a match as it is when it leaves, and `parts`: headings, if any, with
    lines.
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
    lobby: bool = False  # whether the receipt takes commands of the lobby
    overtaken: bool = False

    def facts(self) -> dict[str, Any]:
        """For keeping, sealed."""
        return {
            "outcome": self.outcome,
            "lines": list(self.lines),
            "match_id": self.match_id,
            "invitation_id": self.invitation_id,
            "board": self.board,
            "parts": [[heading, list(lines)] for heading, lines in self.parts],
            "drawing": list(self.drawing),
            "asks": self.asks,
            "proposal": self.proposal,
            "lobby": self.lobby,
        }

    @classmethod
    def from_facts(cls, facts: dict[str, Any]) -> Answer:
        """What `facts` returned."""
        return cls(
            outcome=MessageOutcome(facts["outcome"]),
            lines=tuple(facts["lines"]),
            match_id=facts["match_id"],
            invitation_id=facts["invitation_id"],
            board=facts["board"],
            parts=tuple((heading, tuple(lines)) for heading, lines in facts["parts"]),
            drawing=tuple(facts["drawing"]),
            asks=Asks(facts["asks"]),
            proposal=facts["proposal"],
            lobby=facts["lobby"],
        )
