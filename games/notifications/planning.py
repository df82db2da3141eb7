"""Plan of an event's notifications: a row for each reader, then for each of their other channels.

The row of a reader is that of the e-mail as well, so that a move between two people costs one row.
Each device and each webhook gets a row of its own once the first is due: it is delivered, retried
and given up by itself. Readers who have none cost no query.
"""

from collections.abc import Sequence
from itertools import product

from django.db import transaction

from accounts.models import User
from games.notifications import catalogue
from games.notifications.models import Device, Webhook
from games.notifications.policy import preferences
from games.notifications.policy.kinds import Channel
from games.outbox import publishing
from games.outbox.events import Event
from games.outbox.models import Dispatch

# The model of a channel's addresses, and the name by which rows refer to one.
ADDRESSES: dict[Channel, tuple[type[Device | Webhook], str]] = {
    Channel.PUSH: (Device, "device"),
    Channel.WEBHOOK: (Webhook, "webhook"),
}


def readers(event: Event) -> list[int]:
    """Who is notified of an event, by user id: those it concerns, and never the house."""
    return [person.id for person in event.people if not person.house]


def plan_channels(reader: User, rows: Sequence[Dispatch]) -> None:
    """Write the rows of a reader's other channels; idempotent."""
    wanted = preferences.of(reader)
    for channel in map(Channel, wanted.ways):
        relayed = [row for row in rows if wanted.wants(channel, catalogue.find(row.event).kind)]
        if not relayed:
            continue
        model, name = ADDRESSES[channel]
        addresses = model._default_manager.filter(user=reader).order_by("pk")
        with transaction.atomic():
            for row, pk in product(relayed, addresses.values_list("pk", flat=True)):
                publishing.enqueue(channel, row.event, user=reader, **row.ref, **{name: pk})
