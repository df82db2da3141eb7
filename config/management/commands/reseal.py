"""`manage.py reseal`: seals everything with the first key of SEAL_KEYS, so that others may go."""

from collections import Counter
from itertools import chain
from typing import Any

from django.core.exceptions import ImproperlyConfigured
from django.core.management.base import BaseCommand, CommandError

from accounts.sign_in import second_factors
from config.keys import fingerprints
from config.processes import start_check
from lib import resealing

SAY_EVERY_ROWS = 50_000


class Command(BaseCommand):
    help = (
        "Seals everything in the database anew with the first key of SEAL_KEYS. The service may "
        "run meanwhile, with the same SEAL_KEYS. It may be stopped, and begun again."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            start_check.insist()
        except ImproperlyConfigured as error:
            raise CommandError(str(error)) from None
        seen: Counter[str] = Counter()
        resealed: Counter[str] = Counter()
        for table, rows, anew in chain(second_factors.reseal_all(), resealing.reseal_all()):
            before = seen[table]
            seen[table] += rows
            resealed[table] += anew
            if before // SAY_EVERY_ROWS < seen[table] // SAY_EVERY_ROWS:
                self.stdout.write(f"{table}: {seen[table]:,} looked at ...")
        for table, rows in seen.items():
            self.stdout.write(f"{table}: {resealed[table]:,} of {rows:,} sealed anew.")
        fingerprints.forget_others()
        self.stdout.write("Everything has the first key now; the others may leave SEAL_KEYS.")
