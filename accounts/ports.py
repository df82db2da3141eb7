"""Ports of accounts: what the rooms above do for it (config/ports.py connects them)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Protocol

from django.core.mail import EmailMessage

from lib.ports import Port

if TYPE_CHECKING:
    from accounts.models import User


class OnClosing(Protocol):
    def __call__(self, user: User) -> None:
        """End or delete what depends on an account that is erased in this transaction.

        The user still has their own name.
        """


class OnBlocking(Protocol):
    def __call__(self, user: User) -> None:
        """End what a blocked user may not go on with, in the transaction that blocks them."""


class OpponentsOf(Protocol):
    def __call__(self, user_id: int) -> Iterable[int]:
        """The ids of the users with whom a user sits in a running match."""


class EndingsOf(Protocol):
    def __call__(self, user_id: int) -> Iterable[tuple[str, str]]:
        """What would end with an account: sentences, each with the address of its page."""


class SendEmail(Protocol):
    def __call__(self, message: EmailMessage, *, lasting: bool) -> None:
        """Have an e-mail about an account sent.

        `lasting`: it is worth reading even when a code in it would have expired.
        """


class OnPreferences(Protocol):
    def __call__(self, user: User) -> None:
        """Preferences were saved, perhaps with another time zone or language."""


on_closing: Port[OnClosing] = Port()
on_blocking: Port[OnBlocking] = Port()
opponents_of: Port[OpponentsOf] = Port()
endings_of: Port[EndingsOf] = Port()
send_email: Port[SendEmail] = Port()
on_preferences: Port[OnPreferences] = Port()
