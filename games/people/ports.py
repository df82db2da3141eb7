"""Ports of people: questions to the rooms above, and calls of them (config/ports.py)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from lib.ports import Port

if TYPE_CHECKING:
    from accounts.models import User


class OnBlock(Protocol):
    def __call__(self, owner: User, blocked: User) -> None:
        """End what is open between two users, as `owner` blocks `blocked` in this transaction."""


on_block: Port[OnBlock] = Port()


@dataclass(frozen=True)
class SpokenLine:
    """A line of talk in a match, as the reader of the port may see it."""

    number: int  # within its match
    author: int  # user id
    at: datetime
    text: str


class TalkExcerpt(Protocol):
    def __call__(self, match_id: int, number: int, reader: User) -> Sequence[SpokenLine]:
        """A line of talk that this reader may read, with up to 10 lines before it, oldest first.

        The line itself is the last. Empty if there is no such line, if the reader does not play in
        the match, or if the line is hidden from them.
        """


talk_excerpt: Port[TalkExcerpt] = Port()


def excerpt(match_id: int, number: int, reader: User) -> list[SpokenLine]:
    """A line of talk with those before it, as `TalkExcerpt` says; empty if nobody can tell."""
    return [line for ask in talk_excerpt for line in ask(match_id, number, reader)]
