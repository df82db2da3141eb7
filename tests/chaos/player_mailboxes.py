"""The mailboxes of the players: addresses to reply to, and receipts."""

import smtplib
import threading
from email.message import Message
from email.parser import BytesHeaderParser

from tests.servers import SmtpSink

SERVER = "mx.example.org"  # whose sender authentication the service trusts
PATIENCE = 15.0  # seconds for a response of the listener


class PlayerMailboxes:
    """All players' e-mails, read as they arrive; replies go to `listener`."""

    def __init__(self, sink: SmtpSink, listener: tuple[str, int]) -> None:
        self._sink, self._listener = sink, listener
        self._lock = threading.Lock()
        self._read = 0
        self._addresses: dict[tuple[str, str], str] = {}
        self._receipts: dict[str, dict[str, str]] = {}

    def address(self, reader: str, match: int) -> str:
        """The address of the newest e-mail to a reader about a match; "" if there is none."""
        self._look()
        return self._addresses.get((reader, f"<match.{match}@"), "")

    def outcomes(self, message_id: str) -> list[str]:
        """The outcomes in the receipts of a message; a receipt that arrived twice counts once."""
        self._look()
        return list(self._receipts.get(message_id, {}).values())

    def outcome(self, message_id: str) -> str:
        """The outcome of a message as far as its sender knows it, as in Action."""
        outcomes = self.outcomes(message_id)
        return "info" if not outcomes else "ok" if outcomes == ["played"] else "fail"

    def bring(self, sender: str, recipient: str, message_id: str, text: str) -> bool:
        """Deliver an authenticated message to the listener; returns whether it was acknowledged."""
        raw = (
            f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.org\r\n"
            f"From: {sender}\r\nMessage-ID: {message_id}\r\n\r\n{text}\r\n"
        )
        try:
            with smtplib.SMTP(*self._listener, timeout=PATIENCE) as line:
                line.sendmail(sender, [recipient], raw)
        except (OSError, smtplib.SMTPException):
            return False
        return True

    def _look(self) -> None:
        with self._lock:
            for email in self._sink.taken[self._read :]:
                self._read += 1
                self._keep(BytesHeaderParser().parsebytes(email))

    def _keep(self, head: Message) -> None:
        if match := str(head["References"] or "").partition("@")[0]:
            self._addresses[str(head["To"]), f"{match}@"] = str(head["Reply-To"] or "")
        if outcome := head["X-Estafette-Outcome"]:
            known = self._receipts.setdefault(str(head["In-Reply-To"]), {})
            known[str(head["Message-ID"])] = str(outcome)
