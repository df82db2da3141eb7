"""Ports of people: what the rooms above do for it (config/ports.py connects them)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from lib.ports import Port

if TYPE_CHECKING:
    from accounts.models import User


class OnBlock(Protocol):
    def __call__(self, owner: User, blocked: User) -> None:
        """End what is open between two users, as `owner` blocks `blocked` in this transaction."""


on_block: Port[OnBlock] = Port()
