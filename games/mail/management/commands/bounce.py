"""`manage.py bounce <address>`: reads a letter that came back, as a mail server pipes it in."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.mail.bounces import MOST, receive_bounce


class Command(BaseCommand):
    help = (
        "Reads a returned letter from standard input. The mail server gives the envelope's address."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("envelope_to", help="to whom it was delivered (RCPT TO)")

    def handle(self, *args: Any, envelope_to: str, **options: Any) -> None:
        # The rest is read and dropped: a pipe that is closed early comes back as an error.
        raw = sys.stdin.buffer.read(MOST)
        while sys.stdin.buffer.read(MOST):
            pass
        self.stdout.write(receive_bounce(raw, envelope_to))
