"""Ports of the lobby: what the house does for it (config/ports.py connects them)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lib.ports import Port

if TYPE_CHECKING:
    from accounts.models import User
    from games.lobby.models import Invitation


class Levels(Protocol):
    def __call__(self) -> list[tuple[str, str]]:
        """The levels of the house, easiest first, as pairs of key and label."""


class OpponentOf(Protocol):
    def __call__(self, level: str) -> User:
        """The account of the house opponent of a level."""


class AcceptChallenge(Protocol):
    def __call__(self, invitation: Invitation) -> None:
        """Accept a challenge to the house, in the transaction that creates it.

        If the house cannot play, raises a Refusal, which rolls the challenge back.
        """


house_levels: Port[Levels] = Port()
house_opponent: Port[OpponentOf] = Port()
house_accepts: Port[AcceptChallenge] = Port()
