"""Outages: detected from the heartbeat, and credited to every clock that ran meanwhile.

A task writes a heartbeat every minute. A gap of more than two minutes is an outage. Every clock
that ran gets the lost time back, once, and at least a respite after it (TimeControl.respite).
Nobody loses on time before that is done.
"""

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef

from games.outbox import outbox
from games.outbox.db_clock import now
from games.play.clocks import adjustment_log, running
from games.play.models.match import Player
from games.play.models.time import Adjustment, Heartbeat, Outage

logger = logging.getLogger(__name__)

ALERT = (
    "No heartbeat from %s to %s: every clock that ran gets that time back. If the service was up "
    "all that time, the database's clock has jumped."
)

OUTAGE_GAP = timedelta(minutes=2)  # more than this between two beats is an outage
BATCH_CLOCKS = 500  # clocks read in one go


def beat() -> Outage | None:
    """Store a heartbeat; the outage that it ends, or None."""
    at = now()
    heartbeat, new = Heartbeat.objects.get_or_create(
        pk=1, defaults={"started_at": at, "last_beat_at": at}
    )
    # When the database's clock was set back, nothing is written until it has caught up.
    if new or at <= heartbeat.last_beat_at:
        return None
    with transaction.atomic():
        # Optimistic lock: of several tasks at once, one updates the row.
        if not Heartbeat.objects.filter(pk=1, last_beat_at=heartbeat.last_beat_at).update(
            last_beat_at=at
        ):
            return None
        if at - heartbeat.last_beat_at <= OUTAGE_GAP:
            return None
        outage = Outage.objects.create(start=heartbeat.last_beat_at, end=at)
    # Logged, not e-mailed: a player may wait for this call, and the mail server may be down too.
    logger.error(ALERT, outage.start, outage.end)
    return outage


def credit_outages() -> int:
    """Give back the time of all outages not credited yet; the number of clocks changed.

    To be called before anybody is refused, or loses, because of time. Three short queries where no
    outage is open; before the first heartbeat ever no outage is known.
    """
    heartbeat = Heartbeat.objects.filter(pk=1).first()
    if heartbeat is not None and now() - heartbeat.last_beat_at > OUTAGE_GAP:
        beat()
    return sum(
        _credit(outage) for outage in Outage.objects.filter(credited_at=None).order_by("end")
    )


def _credit(outage: Outage) -> int:
    """Credit an outage to every clock that ran during it, each in a transaction of its own."""
    share = Adjustment.objects.filter(match=OuterRef("match"), seat=OuterRef("seat"), outage=outage)
    ran = Player.objects.filter(
        since__lt=outage.end, deadline__isnull=False, bank__isnull=False
    ).order_by("pk")
    owed = ran.exclude(Exists(share)).select_related("match", "user")
    given = last = 0
    while batch := list(owed.filter(pk__gt=last)[:BATCH_CLOCKS]):
        for player in batch:
            # If the clock was set since it was read, it is read again, if it still runs.
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
        if running.lengthen(player, lost, outage.end, least=least) is None:
            return False
        adjustment_log.note(player, Adjustment.Kind.OUTAGE, outage.end, span=lost, outage=outage)
        outbox.post("clock-credited", user=player.user_id, match=player.match_id, outage=outage.pk)
    return True
