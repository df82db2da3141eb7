"""The service's own failures are not the players' time: what it was down for is given back.

Something beats every minute. A gap of more than two minutes is an outage, and every clock that ran
gets back what fell into it, once, and a respite beside. Until that is done nobody runs out of time.
"""

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from games.play import adjustments, clocks
from games.play.models.match import Player
from games.play.models.time import Adjustment, Heartbeat, Outage
from games.relay import outbox
from games.relay.moment import now

logger = logging.getLogger(__name__)

ALERT = (
    "Nothing beat from %s to %s, and every clock that ran gets that back. Was the service up all "
    "that time? Then the database's clock has jumped."
)

GAP = timedelta(minutes=2)  # more than this between two beats is an outage
BATCH = 500  # clocks read in one go


def beat() -> Outage | None:
    """Write down that the service is alive; the outage that this beat ends, if it does."""
    at = now()
    pulse, new = Heartbeat.objects.get_or_create(pk=1, defaults={"began": at, "beaten": at})
    # A clock that was put back changes nothing until it has caught up.
    if new or at <= pulse.beaten:
        return None
    with transaction.atomic():
        # Of several that beat at once, one moves the row on.
        if not Heartbeat.objects.filter(pk=1, beaten=pulse.beaten).update(beaten=at):
            return None
        if at - pulse.beaten <= GAP:
            return None
        outage = Outage.objects.create(start=pulse.beaten, end=at)
    # A player may be waiting for this, so it is no letter: the mail server may be away as well.
    logger.error(ALERT, outage.start, outage.end)
    return outage


def settle() -> int:
    """Give back what is owed; how many clocks got something. Three short queries where nothing is.

    Whoever is about to take time from somebody calls it first. Before the first beat ever, no
    outage is known.
    """
    pulse = Heartbeat.objects.filter(pk=1).first()
    if pulse is not None and now() - pulse.beaten > GAP:
        beat()
    return sum(
        _credit(outage) for outage in Outage.objects.filter(credited_at=None).order_by("end")
    )


def _credit(outage: Outage) -> int:
    """Give every clock that ran through an outage its share, each in a transaction of its own."""
    share = Adjustment.objects.filter(match=OuterRef("match"), seat=OuterRef("seat"), outage=outage)
    ran = Player.objects.filter(
        since__lt=outage.end, deadline__isnull=False, bank__isnull=False
    ).order_by("pk")
    owed = ran.exclude(Exists(share)).select_related("match", "user")
    given = last = 0
    while batch := list(owed.filter(pk__gt=last)[:BATCH]):
        for player in batch:
            # A clock that was set since it was read is read again, if it still runs.
            found: Player | None = player
            while found is not None and not _give_back(found, outage):
                found = owed.filter(pk=player.pk).first()
            given += found is not None
        last = batch[-1].pk
    Outage.objects.filter(pk=outage.pk, credited_at=None).update(credited_at=now())
    return given


def _give_back(player: Player, outage: Outage) -> bool:
    assert player.since is not None  # noqa: S101 - the query asks for it
    lost = outage.end - max(outage.start, player.since)
    least = outage.end + player.match.budget().respite
    with transaction.atomic():
        if clocks.lengthen(player, lost, outage.end, least=least) is None:
            return False
        adjustments.note(player, Adjustment.Kind.OUTAGE, outage.end, span=lost, outage=outage)
        outbox.post("clock-credited", user=player.user_id, match=player.match_id, outage=outage.pk)
    return True
