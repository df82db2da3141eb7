"""`manage.py reseal`: reseals everything with the first key of SEAL_KEYS, to retire old keys."""

from collections import Counter
from itertools import chain
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from accounts.sign_in import second_factors
from config.keys import fingerprints
from config.processes import start_check
from lib import resealing

REPORT_EVERY_ROWS = 50_000


class Command(BaseCommand):
    help = (
        "Reseals everything in the database with the first key of SEAL_KEYS. The service may run "
        "meanwhile, with the same SEAL_KEYS. It can be interrupted and started again."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            start_check.require_ready()
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from None
        seen: Counter[str] = Counter()
        resealed: Counter[str] = Counter()
        for table, rows, done in chain(second_factors.reseal_all(), resealing.reseal_all()):
            before = seen[table]
            seen[table] += rows
            resealed[table] += done
            if before // REPORT_EVERY_ROWS < seen[table] // REPORT_EVERY_ROWS:
                self.stdout.write(f"{table}: {seen[table]:,} checked ...")
        for table, rows in seen.items():
            self.stdout.write(f"{table}: {resealed[table]:,} of {rows:,} resealed.")
        fingerprints.forget_others()
        self.stdout.write("Everything is sealed with the first key; remove the others.")
