"""`manage.py make_tournament FILE.json`: makes a tournament that is open for entry."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.competitions.tournaments.making import BadTournamentError, make

MAX_FILE_BYTES = 100_000


class Command(BaseCommand):
    help = "Make a tournament from a JSON file of its fields; prints its number."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", help="an object of fields (docs/tournaments.md)")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            with Path(options["file"]).open("rb") as file:
                content = file.read(MAX_FILE_BYTES + 1)
            if len(content) > MAX_FILE_BYTES:
                raise CommandError("The file is too large.", returncode=2)
            tournament = make(json.loads(content.decode("utf-8-sig")))
        except (BadTournamentError, OSError) as fault:
            raise CommandError(str(fault), returncode=2) from None
        except (ValueError, RecursionError):
            raise CommandError("The file is no JSON.", returncode=2) from None
        self.stdout.write(str(tournament.pk))
