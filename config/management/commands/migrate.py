"""`manage.py migrate`: Django's own, between making the keys and making the cache's table."""

from typing import Any

from django.core.management import call_command
from django.core.management.commands import migrate

from config.prepare import prepare


class Command(migrate.Command):
    def execute(self, *args: Any, **options: Any) -> str | None:
        # The system checks, which come first, open the database.
        prepare()
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **options)
        if not (options["plan"] or options["check_unapplied"] or options["app_label"]):
            call_command("createcachetable", verbosity=0)
