"""`manage.py listen_mail`: the listener alone, where something else keeps the processes running."""

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
        place = listener_address.read(settings.MAIL_LISTEN)
        try:
            socket = listener_address.listen(place)
        except (OSError, ImproperlyConfigured) as error:
            raise CommandError(f"{place} is not to be had: {error}.") from None
        connection.close()
        self.say(f"Listening for mail at {place}.")
        with socket:
            listener.serve(socket, is_lmtp=place.is_lmtp)
        self.say("Stopped.")

    def say(self, sentence: str) -> None:
        self.stdout.write(sentence)
        self.stdout.flush()
