"""`manage.py bot_account NAME --owner USERNAME`: makes a bot and prints its username."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from accounts.people import bots
from accounts.sign_in import security_log


class Command(BaseCommand):
    help = "Makes the bot Bot-NAME of a person and prints its username. No e-mail is sent."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="what follows Bot- in the username")
        parser.add_argument("--owner", required=True, metavar="USERNAME", help="a person")

    def handle(self, *args: Any, name: str, owner: str, **options: Any) -> None:
        person = User.objects.filter(username__iexact=owner).first()
        if person is None:
            raise CommandError(f"Nobody has the username {owner}.")
        try:
            bot = bots.create(person, name)
        except bots.BotRefused as refused:
            raise CommandError(str(refused)) from None
        security_log.note(f"made bot {bot.pk}", None, person.pk)
        self.stdout.write(bot.username)
