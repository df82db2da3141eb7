"""Planning: which readers get a row for an event, and the rows of their other channels.

A reader's first row is also the row of the e-mail, so a move between two people writes one row.
When it is due, each device and each webhook gets its own row, so that each is delivered, retried
and given up separately. Readers without devices and webhooks cost no query.
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

# The model of a channel's addresses, and the key of its id in rows.
ADDRESSES: dict[Channel, tuple[type[Device | Webhook], str]] = {
    Channel.PUSH: (Device, "device"),
    Channel.WEBHOOK: (Webhook, "webhook"),
}


def readers(event: Event) -> list[int]:
    """The ids of the users who are notified of an event: its people without house opponents."""
    return [person.id for person in event.people if not person.house]


def plan_channels(reader: User, rows: Sequence[Dispatch]) -> None:
    """Write the rows of a reader's other channels; idempotent."""
    preferred = preferences.read(reader)
    for channel in map(Channel, preferred.ways):
        wanted = [row for row in rows if preferred.wants(channel, catalogue.find(row.event).kind)]
        if not wanted:
            continue
        model, name = ADDRESSES[channel]
        addresses = model._default_manager.filter(user=reader).order_by("pk")
        with transaction.atomic():
            for row, pk in product(wanted, addresses.values_list("pk", flat=True)):
                publishing.enqueue(channel, row.event, user=reader, **row.ref, **{name: pk})
