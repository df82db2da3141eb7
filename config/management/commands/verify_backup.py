"""`manage.py verify_backup FILE`: verifies a copy without touching the running database."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.backups import verifying
from config.backups.failure import BackupFailed
from config.keys.prepare import restrict_umask


class Command(BaseCommand):
    help = (
        "Opens a copy made by `backup` and checks its manifest, its counts, the hash chains of "
        "matches, and that SEAL_KEYS open its plies. The running database is not touched."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--all", action="store_true", help="check all matches, not a sample")
        parser.add_argument(
            "--scratch",
            default="estafette_verify",
            help="PostgreSQL: a database of this name is created on the server, then dropped",
        )

    def handle(self, *args: Any, file: Path, scratch: str, **options: Any) -> None:
        restrict_umask()
        try:
            report = verifying.verify(file, scratch=scratch, everything=options["all"])
        except BackupFailed as error:
            raise CommandError(str(error)) from None
        checked = f"{report.plies:,} plies of {report.matches:,} matches"
        if report.faults:
            raise CommandError("\n".join([*report.faults, f"Checked {checked}."]))
        self.stdout.write(f"{file} is complete: {checked} open, and their chains are intact.")
