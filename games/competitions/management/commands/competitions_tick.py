"""`manage.py competitions_tick`: all sweeps of competitions once."""

from typing import Any

from django.core.management.base import BaseCommand

from games.competitions import sweeps


class Command(BaseCommand):
    help = "Do once what is due on ladders and in tournaments, and say what was done."

    def handle(self, *args: Any, **options: Any) -> None:
        for line in sweeps.run():
            self.stdout.write(f"{line}.")
