"""Events of notifications."""

from dataclasses import dataclass

from games.outbox.events import Event


@dataclass(frozen=True, kw_only=True)
class AccountEmailWritten(Event):
    """An e-mail about an account was written and has to be sent. People: its user, if any."""

    name = "account-email"

    email: int
