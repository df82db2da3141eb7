"""`manage.py backup DIRECTORY`: copies the database while the service runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.backups import making
from config.backups.failure import BackupFailed
from config.keys.prepare import restrict_umask


class Command(BaseCommand):
    help = (
        "Copies the database into a new file in DIRECTORY, with a manifest next to it. The service "
        "may be running. Older copies are kept. The keys are not included: keep them elsewhere."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", type=Path)

    def handle(self, *args: Any, directory: Path, **options: Any) -> None:
        restrict_umask()
        try:
            copy = making.make(directory)
        except BackupFailed as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Created {copy} ({copy.stat().st_size:,} bytes).")
