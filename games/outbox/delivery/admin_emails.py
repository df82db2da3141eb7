"""E-mails to ADMINS: sent at once and not by the outbox, since they may be about its failure.

Each names its site, and has a Message-ID at the site's mail domain. Django's `mail_admins` would
begin each subject with "[Django]", and put the machine's name into the Message-ID.
"""

from email.utils import make_msgid

from django.conf import settings
from django.core.mail import EmailMessage


def send_to_admins(subject: str, text: str) -> None:
    """Send all ADMINS one e-mail; without ADMINS, none. Raises what the mail server causes."""
    send(subject, text, [address for _name, address in settings.ADMINS])


def send(subject: str, text: str, recipients: list[str]) -> None:
    """Send one e-mail to these addresses; without any, none. Raises as `send_to_admins`."""
    if not recipients:
        return
    EmailMessage(
        f"[Estafette, {settings.SITE_HOST}] {subject}",
        f"{text}\n\n-- \nEstafette at {settings.SITE_URL}\n",
        settings.SERVER_EMAIL,
        recipients,
        headers={
            "Message-ID": make_msgid(domain=settings.MAIL_DOMAIN),
            "Auto-Submitted": "auto-generated",
        },
    ).send()
