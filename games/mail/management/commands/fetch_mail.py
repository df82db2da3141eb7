"""`manage.py fetch_mail`: fetches unseen messages from the mailbox of MAIL_IMAP, at once."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from games.mail.inbound import imap_polling


class Command(BaseCommand):
    help = "Takes in what is unseen in the mailbox of MAIL_IMAP; a worker does so each minute."

    def handle(self, *args: Any, **options: Any) -> None:
        if not settings.MAIL_IMAP:
            raise CommandError("MAIL_IMAP names the mailbox, and is not set.")
        try:
            fetched = imap_polling.fetch()
        except imap_polling.ImapUnavailable as error:
            raise CommandError(f"The mailbox of MAIL_IMAP cannot be had ({error}).") from None
        self.stdout.write(f"{fetched.stored} taken in; {fetched.not_ours} not ours, flagged.")
