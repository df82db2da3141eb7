"""`manage.py sendtestemail`: sends an e-mail like those to ADMINS, to see whether it arrives."""

from typing import Any

from django.conf import settings
from django.core.management.commands import sendtestemail

from games.outbox.delivery.admin_emails import send


class Command(sendtestemail.Command):
    """Django's command with a Message-ID at MAIL_DOMAIN: one at "localhost" looks like spam."""

    def handle(self, *args: Any, **options: Any) -> None:
        groups = {"managers": settings.MANAGERS, "admins": settings.ADMINS}
        recipients = list(options["email"])
        for name, people in groups.items():
            recipients += [person[1] for person in people if options[name]]
        send("Test e-mail", "E-mails of this service arrive.", recipients)
