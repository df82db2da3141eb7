"""`manage.py health`: a line for each check of the running service; exit code 1 if any fails."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.db import DatabaseError

from config.watch import checks, facts
from config.watch.checks import Finding


class Command(BaseCommand):
    help = "Says how the service is, for monitors, systemd and compose; 1 if anything is wrong."
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "part",
            nargs="?",
            choices=checks.PARTS,
            help="what such a process is there for, and nothing that its restart would not mend",
        )

    def handle(self, *args: Any, part: str | None, **options: Any) -> None:
        try:
            found = checks.check(facts.gather())
        except DatabaseError as error:
            found = [Finding("database", "", type(error).__name__, "It does not answer.")]
        else:
            found = [one for one in found if part is None or part in one.parts]
        for finding in found:
            self.stdout.write(self.line(finding))
        if any(finding.problem for finding in found):
            sys.exit(1)

    def line(self, finding: Finding) -> str:
        said = f"{finding.name}: {finding.shown}"
        if not finding.problem:
            return f"ok    {said}"
        return f"WRONG {said}. {' '.join(filter(None, [finding.problem, finding.advice]))}"
