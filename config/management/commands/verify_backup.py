"""`manage.py verify_backup FILE`: looks through a copy, beside the running database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.backups import verifying
from config.backups.failure import BackupFailed
from config.keys.prepare import keep_to_ourselves


class Command(BaseCommand):
    help = (
        "Opens a copy that `backup` made, and checks it: its manifest, its counts, the chains of "
        "matches, and whether SEAL_KEYS open its plies. The running database is left alone."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--all", action="store_true", help="all matches, not a sample")
        parser.add_argument(
            "--scratch",
            default="estafette_verify",
            help="PostgreSQL: a database of this name is made on the server, and dropped",
        )

    def handle(self, *args: Any, file: Path, scratch: str, **options: Any) -> None:
        keep_to_ourselves()
        try:
            report = verifying.verify(file, scratch=scratch, everything=options["all"])
        except BackupFailed as error:
            raise CommandError(str(error)) from None
        looked = f"{report.plies:,} plies of {report.matches:,} matches"
        if report.faults:
            raise CommandError("\n".join([*report.faults, f"Looked at {looked}."]))
        self.stdout.write(f"{file} is whole: {looked} open, and their chains hold.")
