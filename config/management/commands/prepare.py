"""`manage.py prepare`: creates VAR_DIR and the keys, for installations without `manage.py up`."""

from typing import Any

from django.core.management.base import BaseCommand

from config.keys.prepare import prepare


class Command(BaseCommand):
    help = "Creates the folder VAR_DIR and the keys that the environment does not give, once."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        prepare()
