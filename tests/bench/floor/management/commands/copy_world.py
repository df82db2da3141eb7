"""`manage.py copy_world`: so many copies of the small world that there are `--matches` matches."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from tests.bench.scale import copies


class Command(BaseCommand):
    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--matches", type=int, required=True)

    def handle(self, *args: Any, matches: int, **options: Any) -> None:
        copies.multiply(matches)
