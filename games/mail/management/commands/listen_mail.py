"""`manage.py listen_mail`: runs only the mail listener, under an external process manager."""

from typing import Any

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError
from django.db import connection

from games.mail.inbound import listener, listener_address


class Command(BaseCommand):
    help = "Takes in mail at MAIL_LISTEN. SIGTERM or Ctrl-C stops it."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.MAIL_LISTEN:
            raise CommandError("MAIL_LISTEN says where to listen, and is not set.")
        address = listener_address.parse(settings.MAIL_LISTEN)
        try:
            socket = listener_address.listen(address)
        except (OSError, ImproperlyConfigured) as error:
            raise CommandError(f"{address} cannot be used: {error}.") from None
        connection.close()
        self.say(f"Listening for mail at {address}.")
        with socket:
            listener.serve(socket, is_lmtp=address.is_lmtp)
        self.say("Stopped.")

    def say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
