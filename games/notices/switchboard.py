"""Hands an event on to the ways beside letters: a row of the outbox for each device and each hook.

So each is delivered, tried again and given up by itself. For whoever has none it costs nothing.
"""

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


def spread(dispatch: Dispatch) -> None:
    """Post what the reader wants to be told by other ways; done twice, it is done once."""
    reader, kind = dispatch.user, KIND_OF[dispatch.event]
    if reader is None or not reader.is_active:
        return
    wished = wishes.of(reader)
    for channel in map(Channel, wished.ways):
        if wished.wants(channel, kind):
            model, name = WAYS[channel]
            ways = model._default_manager.filter(user=reader).order_by("pk")
            ids = ways.values_list("pk", flat=True)
            with transaction.atomic():
                for pk in ids:
                    outbox.post(
                        f"{dispatch.event}:{channel}", user=reader, **dispatch.ref, **{name: pk}
                    )
