"""`manage.py export_person NAME --output FILE.zip`: writes a person's data into a ZIP file."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from accounts.models import User
from config.personal_data import export_file


class Command(BaseCommand):
    help = (
        "Writes all data of a person into a new ZIP file, the same that they can download "
        "themselves. Only the owner of the file can read it (mode 0600)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the username")
        parser.add_argument("--output", type=Path, required=True, help="the ZIP file to write")

    def handle(self, *args: Any, name: str, output: Path, **options: Any) -> None:
        user = User.objects.filter(username__iexact=name).first()
        if user is None:
            raise CommandError(f"Nobody has the username {name}.")
        if user.is_house:
            raise CommandError(f"{user} is a computer opponent, which has no data of its own.")
        if user.is_bot:
            raise CommandError(f"{user} is a bot of {user.owner}, whose export names it.")
        try:
            size = export_file.write(user, output, self._progress)
        except FileExistsError:
            raise CommandError(f"{output} exists already. Give the name of a new file.") from None
        except OSError as error:
            raise CommandError(f"{output} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"Wrote {output} ({size:,} bytes).")

    def _progress(self, files: int) -> None:
        self.stderr.write(f"{files:,} files so far.")
