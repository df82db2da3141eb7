"""E-mails by the players of a simulation: replies to the e-mails that they got."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from accounts.models import User
from games.mail import intake
from games.mail.models import WayIn
from games.play.models.match import Match

if TYPE_CHECKING:
    from tests.simulation.faults import Mailbox, Taken
    from tests.simulation.world import Acknowledged

SHARE = 0.2  # of all actions, of players who have an e-mail to reply to


@dataclass
class Correspondence:
    """Every message: what it asked for, and whether it was accepted."""

    mailbox: Mailbox
    written: dict[str, Acknowledged] = field(default_factory=dict)  # by Message-ID
    taken: list[str] = field(default_factory=list)  # Message-IDs that were acknowledged

    def email_to(self, user: User, match: Match) -> Taken | None:
        """The newest e-mail about a match to which this player could reply."""
        for email in reversed(self.mailbox.emails):
            if email.to == user.email and email.match == match.pk and email.reply_to:
                return email
        return None

    def write(self, action: Acknowledged) -> str:
        """Store what a new message asks for; returns its Message-ID."""
        message_id = f"<{len(self.written)}@example.org>"
        self.written[message_id] = action
        return message_id

    def send(self, message_id: str, email: Taken) -> None:
        """Deliver the message to the intake, again and again until it is acknowledged."""
        text = self.written[message_id].text or "resign"
        # Officers of Assaut are set up by their points only.
        text = text.replace(",", " ") if "/" not in text else text
        raw = f"From: {email.to}\r\nMessage-ID: {message_id}\r\n\r\n{text}\r\n"
        intake.store_message(raw.encode(), email.reply_to, email.to, way_in=WayIn.LISTENER)

    def has_been_taken(self, message_id: str) -> None:
        self.taken.append(message_id)

    def acknowledged(self) -> Iterator[Acknowledged]:
        """The moves that were played according to receipts."""
        played = {email.answers for email in self.mailbox.emails if email.outcome == "played"}
        return (self.written[message_id] for message_id in sorted(played))

    def wrong(self) -> Iterator[str]:
        """Messages without a receipt, and with more than one, in sentences."""
        names: dict[str, set[str]] = {}
        for email in self.mailbox.emails:
            if email.answers:
                names.setdefault(email.answers, set()).add(email.identity)
        for message_id in self.taken:
            if (count := len(names.pop(message_id, ()))) != 1:
                yield f"message {message_id} has {count} receipts."
        if unknown := set(names) - set(self.written):
            yield f"receipts answer what nobody has written: {unknown}."
