"""Fan-out: hands an event to every channel of its reader.

The row of the event is the e-mail's. Each device and each webhook gets a row of its own, so that
it is delivered, tried again and given up by itself. For whoever has none this costs no query.
"""

from collections.abc import Sequence
from itertools import product

from django.db import transaction

from accounts.models import User
from games.house import wake
from games.notifications import catalogue
from games.notifications.email import digests, handlers
from games.notifications.models import Device, Webhook
from games.notifications.policy import preferences
from games.notifications.policy.kinds import Channel
from games.notifications.policy.relevance import reader_of
from games.outbox import publishing
from games.outbox.handling import Batch, Superseded
from games.outbox.models import Dispatch

# Where somebody's addresses of a channel stand, and by which name a row refers to one.
ADDRESSES: dict[Channel, tuple[type[Device | Webhook], str]] = {
    Channel.PUSH: (Device, "device"),
    Channel.WEBHOOK: (Webhook, "webhook"),
}


def notify(dispatch: Dispatch, batch: Batch) -> None:
    """Handler of every notification: rows for the other channels first, then the e-mail."""
    notification, reader = catalogue.find(dispatch.event), reader_of(dispatch)
    if reader.is_house:
        # It reads nothing; whatever has happened may be for it to answer.
        wake.wake()
        raise Superseded
    if not preferences.of(reader).ways:
        handlers.deliver(notification, dispatch, batch)
        return
    # A digest closes the rows it tells of, and a closed row is not fanned out any more.
    rows = digests.rows_beside(dispatch, reader)
    fan_out(reader, rows)
    handlers.deliver(notification, dispatch, batch, fanned_out=rows)


def fan_out(reader: User, rows: Sequence[Dispatch]) -> None:
    """Post what their one reader wants by other channels; done twice, it is done once."""
    wanted = preferences.of(reader)
    for channel in map(Channel, wanted.ways):
        told = [row for row in rows if wanted.wants(channel, catalogue.find(row.event).kind)]
        if not told:
            continue
        model, name = ADDRESSES[channel]
        addresses = model._default_manager.filter(user=reader).order_by("pk")
        with transaction.atomic():
            for row, pk in product(told, addresses.values_list("pk", flat=True)):
                publishing.post_to(channel, row.event, user=reader, **row.ref, **{name: pk})
