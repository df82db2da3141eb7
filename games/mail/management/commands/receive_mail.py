"""`manage.py receive_mail --recipient ADDRESS`: stores a message that a mail server pipes in."""

import sys
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandParser

from games.mail import intake
from games.mail.models import WayIn

# Exit codes that mail servers understand (sysexits.h).
TRY_AGAIN, NOT_OURS, TOO_LARGE = 75, 67, 65
ADDRESSES = ("--recipient", "--sender")
CHUNK_BYTES = 64 * 1024


class Command(BaseCommand):
    help = (
        "Takes in one message from standard input and stores it; a worker reads it. Exit code 0: "
        "stored. 75: try again later. 67: no address of ours. 65: too large."
    )
    requires_system_checks = []

    def run_from_argv(self, argv: list[str]) -> None:
        super().run_from_argv(joined(argv))

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--recipient", required=True, help="to whom it was delivered (RCPT TO)")
        parser.add_argument(
            "--sender", help="who sent it (MAIL FROM); empty for the null sender of programs"
        )

    def handle(self, *args: Any, recipient: str, sender: str | None, **options: Any) -> None:
        take_in(recipient, sender)


def joined(argv: list[str]) -> list[str]:
    """The arguments with each address joined to its option by "=".

    An address may begin with a dash, and a shell drops the empty null sender.
    """
    parts: list[str] = []
    for word in argv:
        if parts and parts[-1] in ADDRESSES:
            parts[-1] += "=" if word in ADDRESSES else f"={word}"
            if word not in ADDRESSES:
                continue
        parts.append(word)
    return [*parts[:-1], f"{parts[-1]}="] if parts[-1] in ADDRESSES else parts


def take_in(recipient: str, sender: str | None) -> None:
    """Store the message on standard input; otherwise exit with a code that gives the reason."""
    try:
        raw = sys.stdin.buffer.read(settings.MAIL_MAX_BYTES + 1)
        # The rest is read and dropped: closing a pipe early is an error for the mail server.
        while sys.stdin.buffer.read(CHUNK_BYTES):
            pass
        intake.store_message(raw, recipient, sender, way_in=WayIn.PIPE)
    except intake.UnknownRecipient:
        _end("That is no address of ours.", NOT_OURS)
    except intake.MessageTooLarge:
        _end(f"It has more than {settings.MAIL_MAX_BYTES} bytes.", TOO_LARGE)
    except Exception as error:
        # The exception text may quote the message.
        _end(f"It could not be stored ({type(error).__name__}); try again later.", TRY_AGAIN)


def _end(sentence: str, code: int) -> None:
    sys.stderr.write(f"{sentence}\n")
    raise SystemExit(code)
