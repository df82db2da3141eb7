"""Ports of the lobby: what the house does for it (config/ports.py connects them)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lib.ports import Port

if TYPE_CHECKING:
    from accounts.models import User
    from games.lobby.models import Invitation


class Levels(Protocol):
    def __call__(self) -> list[tuple[str, str]]:
        """The levels of the house, the easiest first: pairs of a key and its words."""


class OpponentOf(Protocol):
    def __call__(self, level: str) -> User:
        """The account that plays a level."""


class AcceptChallenge(Protocol):
    def __call__(self, invitation: Invitation) -> None:
        """Accept a challenge of the house in this transaction.

        Raises a Refusal, so that the challenge is not made.
        """


house_levels: Port[Levels] = Port()
house_opponent: Port[OpponentOf] = Port()
house_accepts: Port[AcceptChallenge] = Port()
