"""`manage.py bounce <address>`: reads a returned e-mail that the mail server pipes in."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.notifications.email.bounces import MAX_REPORT_BYTES, receive_bounce


class Command(BaseCommand):
    help = (
        "Reads a returned letter from standard input. The mail server gives the envelope's address."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("envelope_to", help="to whom it was delivered (RCPT TO)")

    def handle(self, *args: Any, envelope_to: str, **options: Any) -> None:
        # The rest is read and dropped: a pipe that is closed early comes back as an error.
        raw = sys.stdin.buffer.read(MAX_REPORT_BYTES)
        while sys.stdin.buffer.read(MAX_REPORT_BYTES):
            pass
        self.stdout.write(receive_bounce(raw, envelope_to))
