"""Retention period of incoming messages."""

from datetime import timedelta

from games.mail.models import IncomingMessage
from lib.retention import Kept, by_date

KEPT = (
    Kept(
        "messages that came in by mail, sealed, with what became of them",
        timedelta(days=14),
        "they were dealt with",
        "`incoming_done`",
        by_date(IncomingMessage, "done_at"),
        IncomingMessage,
    ),
)
