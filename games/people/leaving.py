"""Leaving: an account that is to be closed when its matches have ended is closed with the last one.

`on_final` is a subscriber of the events that a match is final.
"""

from collections.abc import Iterable

from accounts.people import closing
from games.outbox.events import Event
from games.outbox.handling import Batch
from games.outbox.models import Dispatch


def rows(event: Event) -> Iterable[int]:
    """A row for each of the people whose account is to be closed."""
    return [person.id for person in event.people if person.leaving]


def on_final(dispatch: Dispatch, batch: Batch) -> None:
    """Handler: a match of somebody is final; their account is closed if it was the last one."""
    if dispatch.user_id is not None:
        closing.close_if_over(dispatch.user_id)
