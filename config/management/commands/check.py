"""`manage.py check`: names the version and the time zone data, then checks as Django does."""

from typing import Any

from django.core.management.commands import check

from config.environment import time_zone_data
from config.environment.version import version


class Command(check.Command):
    def handle(self, *app_labels: Any, **options: Any) -> None:
        self.stdout.write(f"Estafette {version()}. Time zones are {time_zone_data.description()}.")
        super().handle(*app_labels, **options)
