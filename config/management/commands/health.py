"""`manage.py health`: prints a line for each check of the service; exit code 1 if any fails."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError

from config.environment import time_zone_data
from config.environment.version import version
from config.watch import checks, measurements
from config.watch.checks import Finding
from lib.database.time_limit import time_limit

DATABASE_SECONDS = 10.0  # for all checks; compose waits 20 for the command


class Command(BaseCommand):
    help = "Checks the service, for monitors, systemd and compose. Exit code 1 if a check fails."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "part",
            nargs="?",
            choices=checks.PARTS,
            help="only checks of this kind of process, which restarting it could mend",
        )

    def handle(self, *args: Any, part: str | None, **options: Any) -> None:
        try:
            with time_limit(DATABASE_SECONDS):
                findings = checks.check(measurements.measure())
        except DatabaseError as error:
            findings = [Finding("database", "", type(error).__name__, "It does not answer.")]
        else:
            findings = [each for each in findings if part is None or part in each.parts]
        self.stdout.write(f"ok    version: {version()}, time zones {time_zone_data.description()}")
        for finding in findings:
            self.stdout.write(self.line(finding))
        if any(finding.problem for finding in findings):
            sys.exit(1)

    def line(self, finding: Finding) -> str:
        value = f"{finding.name}: {finding.shown}"
        if not finding.problem:
            return f"ok    {value}"
        return f"WRONG {value}. {' '.join(filter(None, [finding.problem, finding.advice]))}"
