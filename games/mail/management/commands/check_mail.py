"""`manage.py check_mail`: checks DNS records, mail settings and the round trip of an e-mail."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.mail.inbound import dns_check, round_trip_check

WAIT_SECONDS = 60


class Command(BaseCommand):
    help = (
        "Looks up MX, SPF and DMARC of MAIL_DOMAIN, sends an e-mail to the service itself, and "
        "waits until it is read. Exit code 1: something is wrong."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--wait", type=int, default=WAIT_SECONDS, help="seconds to wait for the e-mail"
        )

    def handle(self, *args: Any, wait: int, **options: Any) -> None:
        problems = 0
        for findings in (dns_check.findings(), round_trip_check.findings(wait)):
            for finding in findings:
                self.stdout.write(f"{'ok   ' if finding.is_right else 'WRONG'}  {finding.sentence}")
                self.stdout.flush()
                problems += not finding.is_right
        if problems:
            raise SystemExit(1)
