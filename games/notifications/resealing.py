"""Resealing: waiting account e-mails and proposed set-ups get the first key of SEAL_KEYS."""

from collections.abc import Callable, Iterator
from typing import Any

from django.db.models import QuerySet

from games.notifications.email import account_emails
from games.notifications.email.replies import reply_addresses
from games.notifications.models import AccountEmail, ReplyAddress
from lib import sealing
from lib.batches import batches

Progress = Iterator[tuple[str, int, int]]


def reseal_all() -> Progress:
    """Reseal batch by batch; yields the table, the rows looked at, and how many were resealed."""
    emails = AccountEmail.objects.all()
    yield from _reseal("account e-mails", emails, "sealed", account_emails.reseal)
    proposals = ReplyAddress.objects.exclude(proposal=b"")
    yield from _reseal("proposed set-ups", proposals, "proposal", reply_addresses.reseal)


def _reseal(
    table: str, rows: QuerySet[Any], column: str, reseal: Callable[[Any], str | bytes]
) -> Progress:
    # Neither is ever written anew, so nobody else writes what is written here.
    for batch in batches(rows):
        done = 0
        for row in batch:
            try:
                anew = reseal(row)
            except sealing.BrokenSealError:
                continue  # nobody can use it any more
            if anew != getattr(row, column):
                done += rows.filter(pk=row.pk).update(**{column: anew})
        yield table, len(batch), done
