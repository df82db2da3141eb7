"""Leaving: an account that is to be closed when its matches have ended is closed with the last one.

`on_final` is a subscriber of the events that a match is final, and the handler of the rows of
`check_later`.
"""

from collections.abc import Iterable

from accounts.models import User
from accounts.people import closing
from games.outbox import publishing
from games.outbox.events import Event
from games.outbox.handling import Batch
from games.outbox.models import Dispatch


def rows(event: Event) -> Iterable[int]:
    """A row for each of the people whose account is to be closed."""
    return [person.id for person in event.people if person.leaving]


def check_later(event: str, user_ids: Iterable[int], **ids: int) -> None:
    """Something of these users has ended: close the accounts that wait for it, if it was the last.

    Called in the transaction that ends it. A row of the outbox does it later, since closing an
    account locks the user first and what is left of them after. One query.
    """
    waiting = User.objects.filter(pk__in=set(user_ids), closes_at__isnull=False)
    for pk in waiting.order_by("pk").values_list("pk", flat=True):
        publishing.enqueue("leaving", event, user=pk, **ids)


def on_final(dispatch: Dispatch, batch: Batch) -> None:
    """Handler: something of a user has ended; their account is closed if it was the last."""
    if dispatch.user_id is not None:
        closing.close_if_over(dispatch.user_id)
