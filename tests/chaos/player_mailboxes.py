"""What the mail server has taken for each player: addresses to answer to, and receipts."""

import smtplib
import threading
from email.message import Message
from email.parser import BytesHeaderParser

from tests.servers import SmtpSink

SERVER = "mx.example.org"  # whose word on senders the service believes
PATIENCE = 15.0  # seconds for one answer of the listener


class PlayerMailboxes:
    """The e-mails of everybody, read as they come; `listener` is where answers are brought."""

    def __init__(self, sink: SmtpSink, listener: tuple[str, int]) -> None:
        self._sink, self._listener = sink, listener
        self._lock = threading.Lock()
        self._read = 0
        self._addresses: dict[tuple[str, str], str] = {}
        self._receipts: dict[str, dict[str, str]] = {}

    def address(self, reader: str, match: int) -> str:
        """The address of the newest e-mail to a reader about a match; "" if none has come."""
        self._look()
        return self._addresses.get((reader, f"<match.{match}@"), "")

    def outcomes(self, message_id: str) -> list[str]:
        """What each receipt of a message says; the same one that came twice is one."""
        self._look()
        return list(self._receipts.get(message_id, {}).values())

    def told(self, message_id: str) -> str:
        """What the sender of a message knows by now, as an Action says it."""
        said = self.outcomes(message_id)
        return "info" if not said else "ok" if said == ["played"] else "fail"

    def bring(self, sender: str, recipient: str, message_id: str, text: str) -> bool:
        """Bring a message to the listener, whose sender is proved; whether it was acknowledged."""
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
