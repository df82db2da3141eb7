"""Ports of play: questions to the rooms above (config/ports.py connects them)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

from lib.ports import Port

if TYPE_CHECKING:
    from django.db.models import Expression

    from accounts.models import User


class FirstUnread(Protocol):
    def __call__(self, user_ids: Collection[int]) -> Mapping[int, datetime]:
        """Those of these users with unread messages, each with the arrival of the oldest."""


class IsOpen(Protocol):
    def __call__(self) -> bool | None:
        """Whether moves can be sent by a way other than the pages; None if it is not in use."""


class CountChallenges(Protocol):
    def __call__(self, user: str) -> Expression:
        """The number of challenges to answer, as a column of a query; `user` names its user id."""


class Say(Protocol):
    def __call__(self, match_id: int, user: User, text: str) -> object:
        """Send the opponent in a match some words; raises a Refusal."""


class EventLink(NamedTuple):
    """A ladder or tournament that opens matches: its title, and the path of its page."""

    title: str
    path: str


class LinkOfEvent(Protocol):
    def __call__(self, key: str) -> EventLink | None:
        """The ladder or tournament with this key (Match.event); None if it is not one of theirs."""


unread_moves: Port[FirstUnread] = Port()
other_ways: Port[IsOpen] = Port()
challenges: Port[CountChallenges] = Port()
say: Port[Say] = Port()
events: Port[LinkOfEvent] = Port()


def first_unread(user_ids: Collection[int]) -> dict[int, datetime]:
    """Those of these users with unread messages, each with the arrival of the oldest."""
    oldest: dict[int, datetime] = {}
    for ask in unread_moves if user_ids else ():
        for user_id, at in ask(user_ids).items():
            oldest[user_id] = min(at, oldest.get(user_id, at))
    return oldest


def other_ways_are_open() -> bool:
    """Whether all ways other than the pages by which players send moves are open."""
    return all(is_open() is not False for is_open in other_ways)


def event_of(key: str) -> EventLink | None:
    """The ladder or tournament that opened a match, by Match.event; None for other matches."""
    links = (link_of(key) for link_of in events if key)
    return next((link for link in links if link is not None), None)
