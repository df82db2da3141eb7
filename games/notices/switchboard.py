"""Hands an event on to the ways beside letters: a row of the outbox for each device and each hook.

So each is delivered, tried again and given up by itself. For whoever has none it costs nothing.
"""

from itertools import product

from django.db import transaction

from games.notices import wishes
from games.notices.kinds import KIND_OF, Channel
from games.notices.models import Device, Hook
from games.relay import outbox
from games.relay.models import Dispatch

WAYS: dict[Channel, tuple[type[Device | Hook], str]] = {
    Channel.PUSH: (Device, "device"),
    Channel.WEBHOOK: (Hook, "hook"),
}


def spread(*dispatches: Dispatch) -> None:
    """Post what their one reader wants to be told by other ways; done twice, it is done once."""
    reader = dispatches[0].user if dispatches else None
    if reader is None or not reader.is_active:
        return
    wished = wishes.of(reader)
    for channel in map(Channel, wished.ways):
        wanted = [one for one in dispatches if wished.wants(channel, KIND_OF[one.event])]
        if not wanted:
            continue
        model, name = WAYS[channel]
        ways = model._default_manager.filter(user=reader).order_by("pk")
        with transaction.atomic():
            for dispatch, pk in product(wanted, ways.values_list("pk", flat=True)):
                event = f"{dispatch.event}:{channel}"
                outbox.post(event, user=reader, **dispatch.ref, **{name: pk})
