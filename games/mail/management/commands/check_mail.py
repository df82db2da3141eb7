"""`manage.py check_mail`: what is wrong with mail, in sentences; and an e-mail through the loop."""

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from games.mail.inbound import domain_check, loop_check

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
        wrong = 0
        for findings in (domain_check.findings(), loop_check.findings(wait)):
            for finding in findings:
                self.stdout.write(f"{'ok   ' if finding.right else 'WRONG'}  {finding.words}")
                self.stdout.flush()
                wrong += not finding.right
        if wrong:
            raise SystemExit(1)
