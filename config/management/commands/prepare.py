"""`manage.py prepare`: makes VAR_DIR and the keys, for those who start the processes themselves."""

from typing import Any

from django.core.management.base import BaseCommand

from config.keys.prepare import prepare


class Command(BaseCommand):
    help = "Makes the folder VAR_DIR and the keys that the environment does not give, once."
    requires_system_checks = []

    def handle(self, *args: Any, **options: Any) -> None:
        prepare()
