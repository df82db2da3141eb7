"""The e-mails of one person for staff: posted, sent, held, dropped and why, and what came in.

It never shows what an e-mail or a message says, nor what became of a message's commands: staff may
play here too.
"""

from dataclasses import dataclass
from datetime import datetime

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from games.mail.models import IncomingMessage, MessageOutcome, RecipientKind
from games.outbox.admin import state_of
from games.outbox.models import Dispatch
from lib.db_clock import now

MAX_ROWS = 100  # of each table, the newest

DOORS = {
    RecipientKind.REPLY: gettext_lazy("an answer to an e-mail"),
    RecipientKind.SERVICE: gettext_lazy("to the general address"),
    RecipientKind.BOUNCE: gettext_lazy("a report about an e-mail of ours"),
}
# What became of a message; all others were dealt with, and the person knows how.
OUTCOMES = {
    MessageOutcome.NONE: gettext_lazy("dropped"),
    MessageOutcome.CONFIRM: gettext_lazy("has to be confirmed on the site"),
    MessageOutcome.UNREADABLE: gettext_lazy("could not be read"),
    MessageOutcome.UNREAD: gettext_lazy("without a command"),
    MessageOutcome.CLOSED: gettext_lazy("to an address that was no longer valid"),
}


@dataclass(frozen=True)
class Posted:
    """A row of the outbox, as staff see it."""

    row: Dispatch
    state: str
    link: str

    @property
    def until(self) -> datetime | None:
        """When it is due, while it waits."""
        row = self.row
        is_done = row.sent_at or row.superseded_at or row.dead_at
        return None if is_done else row.not_before


@dataclass(frozen=True)
class Received:
    """A message that came in, as staff see it."""

    row: IncomingMessage
    door: str
    outcome: str

    @property
    def why(self) -> str:
        """The reason for which it was dropped."""
        return self.row.why if self.row.outcome == MessageOutcome.NONE else ""


def posted(person: User) -> list[Posted]:
    """What was posted to a person by e-mail and other channels, newest first."""
    at = now()
    rows = Dispatch.objects.filter(user=person.pk).order_by("-pk")[:MAX_ROWS]
    return [
        Posted(row, state_of(row, at), reverse("admin:outbox_dispatch_change", args=[row.pk]))
        for row in rows
    ]


def received(person: User) -> list[Received]:
    """What came in from a person, and about e-mails to them, newest first."""
    rows = IncomingMessage.objects.filter(user=person.pk).order_by("-pk")
    shown = rows.defer("envelope", "sealed", "receipt")[:MAX_ROWS]
    return [Received(row, str(DOORS[RecipientKind(row.door)]), _outcome(row)) for row in shown]


def _outcome(row: IncomingMessage) -> str:
    if row.done_at is None:
        return _("waiting") if not row.attempts else _("is tried again")
    if row.door == RecipientKind.BOUNCE:
        return _("recorded")
    return str(OUTCOMES.get(MessageOutcome(row.outcome), _("dealt with")))
