"""`manage.py migrate`: creates the keys, migrates as Django does, creates the cache table."""

from typing import Any

from django.core.management import CommandError, call_command
from django.core.management.commands import migrate
from django.db import connections
from django.db.utils import DatabaseError

from config.keys.prepare import prepare
from config.processes.start_check import unreachable


class Command(migrate.Command):
    def execute(self, *args: Any, **options: Any) -> str | None:
        # Before the system checks, which need the keys and the database.
        prepare()
        try:
            connections[options["database"]].ensure_connection()
        except DatabaseError as error:
            raise CommandError(str(unreachable(error))) from None
        return super().execute(*args, **options)

    def handle(self, *args: Any, **options: Any) -> None:
        super().handle(*args, **options)
        if not (options["plan"] or options["check_unapplied"] or options["app_label"]):
            call_command("createcachetable", verbosity=0)
