"""`manage.py ladder_csv FAMILY [--log]`: the places of a ladder, or its log, as CSV."""

import csv
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.competitions.ladders import table
from games.competitions.ladders.models import Ladder
from games.rules import registry
from lib.db_clock import now


class Command(BaseCommand):
    help = "Print the places of a ladder, or the log of their changes, as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("family", help="the game, such as lattaque")
        parser.add_argument("--log", action="store_true", help="the log, oldest first")

    def handle(self, *args: Any, **options: Any) -> None:
        family = options["family"]
        ladder = Ladder.objects.filter(family=family).first()
        if ladder is None:
            if family in registry.games:
                raise CommandError(f"No ladder of {family} has been opened.", returncode=2)
            known = ", ".join(registry.games)
            raise CommandError(f"There is no game {family!r}. Known are: {known}.", returncode=2)
        out = csv.writer(self.stdout, lineterminator="\n")
        out.writerow(table.LOG_COLUMNS if options["log"] else table.COLUMNS)
        out.writerows(table.csv_log(ladder) if options["log"] else table.csv_rows(ladder, now()))
