"""`manage.py backup DIRECTORY`: copies the database while the service runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from config.backups import making
from config.backups.failure import BackupFailed
from config.keys.prepare import keep_to_ourselves


class Command(BaseCommand):
    help = (
        "Copies the database into a new file in DIRECTORY, with a manifest beside it. The service "
        "may run meanwhile. Older copies stay. The keys are not in it: keep them elsewhere."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("directory", type=Path)

    def handle(self, *args: Any, directory: Path, **options: Any) -> None:
        keep_to_ourselves()
        try:
            copy = making.make(directory)
        except BackupFailed as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"Made {copy} ({copy.stat().st_size:,} bytes).")
