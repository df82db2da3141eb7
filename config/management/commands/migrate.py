"""`manage.py migrate`: Django's own, after making VAR_DIR and the keys."""

from typing import Any

from django.core.management.commands import migrate

from config.prepare import prepare


class Command(migrate.Command):
    def execute(self, *args: Any, **options: Any) -> str | None:
        # The system checks, which come first, open the database.
        prepare()
        return super().execute(*args, **options)
