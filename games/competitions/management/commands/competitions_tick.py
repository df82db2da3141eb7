"""`manage.py competitions_tick`: runs what is due in ratings, ladders and tournaments, once."""

from typing import Any

from django.core.management.base import BaseCommand

from games.competitions import sweeps
from games.outbox.delivery import dispatcher
from games.play.commands import finality
from games.ratings import numbering


class Command(BaseCommand):
    help = "Run all sweeps of ratings, ladders and tournaments once, and say what they did."

    def handle(self, *args: Any, **options: Any) -> None:
        self._say("endings made final", finality.sweep())
        self._say("outbox rows delivered", dispatcher.drain())
        self._say("rated results counted", numbering.count())
        for name, count in sweeps.run_all():
            self._say(name, count)

    def _say(self, name: str, count: int) -> None:
        self.stdout.write(f"{name}: {count}")
