"""`manage.py tournament_csv N`: the tables of a tournament, or its pairings, as CSV."""

import io
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.competitions.tournaments import exports
from games.competitions.tournaments.models import Tournament


class Command(BaseCommand):
    help = "Print the tables of a tournament as CSV."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("number", type=int)
        parser.add_argument("--pairings", action="store_true", help="a row for each match instead")

    def handle(self, *args: Any, **options: Any) -> None:
        tournament = Tournament.objects.filter(pk=options["number"]).first()
        if tournament is None:
            raise CommandError(f"There is no tournament {options['number']}.", returncode=2)
        write = exports.write_pairings if options["pairings"] else exports.write_table
        file = io.StringIO()
        write(tournament, file)
        self.stdout.write(file.getvalue(), ending="")
