"""Ports of accounts: what the rooms above do for it (config/ports.py connects them)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Protocol

from django.core.mail import EmailMessage

from lib.exports.files import File
from lib.ports import Port

if TYPE_CHECKING:
    from accounts.models import User


class OnClosing(Protocol):
    def __call__(self, user: User) -> None:
        """End or delete what depends on an account that is erased in this transaction.

        The user still has their own name.
        """


class OnLeaving(Protocol):
    def __call__(self, user: User) -> None:
        """End what is offered by or to a user, whose account is closed when all else has ended."""


class StillRunning(Protocol):
    def __call__(self, user_id: int) -> bool:
        """Whether something of a user runs whose end an account that is to be closed waits for."""


class ExportFiles(Protocol):
    def __call__(self, user: User) -> Iterator[File]:
        """The files of the export of a user's data, each made while it is read."""


class OnBlocking(Protocol):
    def __call__(self, user: User) -> None:
        """End what a blocked user may not go on with, in the transaction that blocks them."""


class OpponentsOf(Protocol):
    def __call__(self, user_id: int) -> Iterable[int]:
        """The ids of the users with whom a user sits in a running match."""


class Compete(Protocol):
    def __call__(self, one: int, other: int) -> bool:
        """Whether two users, by id, are in the same running tournament or on the same ladder."""


class EndingsOf(Protocol):
    def __call__(self, user_id: int) -> Iterable[tuple[str, str]]:
        """What would end with an account: sentences, each with the address of its page."""


class SendEmail(Protocol):
    def __call__(self, message: EmailMessage, *, lasting: bool) -> None:
        """Have an e-mail about an account sent.

        `lasting`: it is worth reading even when a code in it would have expired.
        """


class SignUpIsOpen(Protocol):
    def __call__(self) -> bool:
        """Whether visitors may create accounts at this moment."""


class OnPreferences(Protocol):
    def __call__(self, user: User) -> None:
        """Preferences were saved, perhaps with another time zone or language."""


on_closing: Port[OnClosing] = Port()
on_leaving: Port[OnLeaving] = Port()
still_running: Port[StillRunning] = Port()
export_files: Port[ExportFiles] = Port()
on_blocking: Port[OnBlocking] = Port()
opponents_of: Port[OpponentsOf] = Port()
compete: Port[Compete] = Port()
endings_of: Port[EndingsOf] = Port()
send_email: Port[SendEmail] = Port()
on_preferences: Port[OnPreferences] = Port()
sign_up_is_open: Port[SignUpIsOpen] = Port()
