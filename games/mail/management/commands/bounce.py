"""`manage.py bounce ADDRESS`: `receive_mail` under an older name, for e-mails that come back."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.mail.management.commands.receive_mail import take_in


class Command(BaseCommand):
    help = "As receive_mail --recipient ADDRESS."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("envelope_to", help="to whom it was delivered (RCPT TO)")

    def handle(self, *args: Any, envelope_to: str, **options: Any) -> None:
        take_in(envelope_to, None)
