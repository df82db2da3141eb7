"""Heartbeat: when moves could last be taken, which is how outages are noticed.

Workers probe the web servers every twenty seconds (games/play/commands/health.py) and store the
result here: a beat if moves can be taken, a contact if a server accepted the connection but did not
answer in time. A gap of more than two minutes between two beats is an outage, so a single probe
that fails or is slow is not.
"""

import logging
from datetime import datetime, timedelta

from django.db import transaction

from games.play.clocks import load
from games.play.models.time import Heartbeat, Outage
from lib.db_clock import now

logger = logging.getLogger(__name__)

ALERT = (
    "No heartbeat from %s to %s: every clock that ran gets that time back. If the service was up "
    "all that time, the database's clock has jumped."
)
CAUSED = (
    "No heartbeat from %s to %s: requests of account %s kept the web servers busy. No time is "
    "given back; a clock that ran out meanwhile runs for as long again."
)

OUTAGE_GAP = timedelta(minutes=2)  # a longer gap between two beats is an outage


def beat() -> Outage | None:
    """Store that moves can be taken now; returns the outage that this ends, or None."""
    at = now()
    heartbeat, new = Heartbeat.objects.get_or_create(
        pk=1, defaults={"started_at": at, "last_beat_at": at}
    )
    # If the database's clock was set back, nothing is written until it has caught up.
    if new or at <= heartbeat.last_beat_at:
        return None
    with transaction.atomic():
        # Optimistic lock: of several concurrent workers, one updates the row.
        unchanged = Heartbeat.objects.filter(pk=1, last_beat_at=heartbeat.last_beat_at)
        if not unchanged.update(last_beat_at=at, last_contact_at=at):
            return None
        if at - heartbeat.last_beat_at <= OUTAGE_GAP:
            return None
        outage = Outage.objects.create(
            start=heartbeat.last_beat_at,
            end=at,
            stalled=_in_contact(heartbeat, at),
            caused_by_id=load.causing(heartbeat.last_beat_at, at),
        )
    # Logged, not e-mailed: a player may wait for this call, and the mail server may be down too.
    if outage.caused_by_id is None:
        logger.error(ALERT, outage.start, outage.end)
    else:
        logger.error(CAUSED, outage.start, outage.end, outage.caused_by_id)
    return outage


def note_contact() -> None:
    """Store that a web server accepts connections but does not answer in time.

    After two minutes without a contact, the servers were more than slow, and count as such until
    the next beat.
    """
    heartbeat, at = newest(), now()
    if heartbeat and _in_contact(heartbeat, at):
        Heartbeat.objects.filter(pk=1, last_beat_at=heartbeat.last_beat_at).update(
            last_contact_at=at
        )


def newest() -> Heartbeat | None:
    """The heartbeat; None before the first one."""
    return Heartbeat.objects.filter(pk=1).first()


def is_overdue(heartbeat: Heartbeat | None, at: datetime) -> bool:
    """Whether there is an outage at `at`; False before the first heartbeat."""
    return heartbeat is not None and at - heartbeat.last_beat_at > OUTAGE_GAP


def _in_contact(heartbeat: Heartbeat, at: datetime) -> bool:
    if heartbeat.last_contact_at is None:
        return at - heartbeat.last_beat_at <= OUTAGE_GAP
    return at - heartbeat.last_contact_at <= OUTAGE_GAP
