"""Account e-mails: codes and notices about an account, sent by a worker like all others.

So pages do not wait for the mail server, and an outage of it loses no e-mail. Each is stored sealed
until it is sent, since codes give access to accounts.
"""

import json
from collections.abc import Sequence
from datetime import timedelta

from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.db import transaction

from accounts.models import User
from games.notifications.email.sending import delivery
from games.notifications.events import AccountEmailWritten
from games.notifications.models import ACCOUNT_EMAILS, AccountEmail
from games.outbox import publishing
from games.outbox.events import people
from games.outbox.handling import Batch, MailboxRefused, Superseded
from games.outbox.models import Dispatch, Reason
from lib.db_clock import now
from lib.sealing import seal, unseal

CODES_VALID = timedelta(minutes=10)


def keep_and_send(message: EmailMessage, *, lasting: bool) -> None:
    """Store an e-mail and publish it, to be sent before all notifications.

    `lasting`: send it even after codes in it have expired.
    """
    headers = {name: str(value) for name, value in message.extra_headers.items()}
    fields = {
        "subject": message.subject,
        "body": message.body,
        "from_email": message.from_email,
        "to": message.to,
        "headers": headers,
    }
    with transaction.atomic():
        kept = AccountEmail.objects.create(
            sealed=seal(json.dumps(fields), ACCOUNT_EMAILS), lasting=lasting
        )
        publishing.publish(AccountEmailWritten(email=kept.pk, people=people(_users(message.to))))


def _users(addresses: Sequence[str]) -> list[User]:
    """The user with an address, confirmed or else not yet: staff find the e-mail by its user."""
    users = User.objects.filter(email__in=[address.lower() for address in addresses])
    return list(users.order_by("pending", "-pk")[:1])


def deliver(dispatch: Dispatch, batch: Batch) -> None:
    """Send an account e-mail, unless the codes in it have expired."""
    kept = AccountEmail.objects.filter(pk=dispatch.ref["email"]).first()
    if kept is None:
        raise Superseded
    if not kept.lasting and now() - kept.written_at > CODES_VALID:
        kept.delete()
        raise Superseded(Reason.EXPIRED)
    fields = json.loads(unseal(kept.sealed, ACCOUNT_EMAILS))
    fields["headers"]["Message-ID"] = dispatch.message_id
    try:
        delivery.send_to_address(EmailMultiAlternatives(**fields), batch)
    except MailboxRefused:
        kept.delete()
        raise
    kept.delete()
