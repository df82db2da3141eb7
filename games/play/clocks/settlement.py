"""Settlement of outages: credits every clock that ran, in batches, by one worker at a time.

Each batch is one transaction of a few statements, whatever its number of clocks. A run ends after
its time budget and the next tick continues, also after a run that was killed.
"""

import time
from datetime import datetime

from django.db import transaction

from games.outbox import leases, publishing
from games.outbox.events import Person
from games.outbox.leases import Lease
from games.play.clocks import adjustment_log, outages, running, vacations
from games.play.events import TimeCredited
from games.play.models.match import Player
from games.play.models.time import Outage
from lib.db_clock import now

SHARE_SECONDS = 45.0  # of one run; a worker that is stopped has 60 s (deploy/systemd)
BATCH_CLOCKS = 500  # credited in one transaction
BATCH_PLAYERS = 500  # notified in one transaction


def settle(seconds: float = SHARE_SECONDS) -> int:
    """Credit owed outages for about `seconds`; returns the number of changed clocks.

    One query where nothing is owed. Does nothing if another worker holds the lease.
    """
    if not outages.owed().exists():
        return 0
    until, changed = time.monotonic() + seconds, 0
    with leases.claimed("settlement") as lease:
        if lease is None:
            return 0
        for outage in outages.owed():
            given, complete = _credit_all(outage, lease, until)
            changed += given
            if not complete or not _announce(outage, lease, until):
                break
            Outage.objects.filter(pk=outage.pk, credited_at=None).update(credited_at=now())
    return changed


def credit_batch(batch: list[Player], outage: Outage) -> int:
    """Credit an outage to these clocks; returns the number of those not set since they were read.

    Two statements in a transaction, and one before it if a player has planned vacations.
    """
    away = vacations.ahead_of([p.user for p in batch if p.match.vacations], _earliest(batch))
    clocks = [outages.credited(player, outage, away.get(player.user_id)) for player in batch]
    with transaction.atomic():
        changed = running.set_clocks(clocks)
        lost = ((p, outages.lost_time(p, outage)) for p in batch if p.pk in changed)
        adjustment_log.note_outage(lost, outage)
    return len(changed)


def _credit_all(outage: Outage, lease: Lease, until: float) -> tuple[int, bool]:
    """Credit every owed clock; returns the number changed, and whether none is left."""
    ran = outages.clocks_that_ran(outage)
    changed = last = 0
    complete = True
    while time.monotonic() < until and lease.renew():
        batch = list(ran.filter(pk__gt=last)[:BATCH_CLOCKS])
        if batch:
            last = batch[-1].pk
            if owed := outages.owed_among(batch, outage):
                complete = False
                changed += credit_batch(owed, outage)
        elif complete:
            return changed, True
        else:
            # Another pass, for the clocks that were locked by another transaction.
            last, complete = 0, True
    return changed, False


def _announce(outage: Outage, lease: Lease, until: float) -> bool:
    """Notify each credited player, once for all their clocks; False if the time budget is used up.

    A repeated publication does not notify again.
    """
    credited = adjustment_log.credited_players(outage.pk)
    users = list(credited.order_by("user").values_list("user_id", flat=True).distinct())
    for first in range(0, len(users), BATCH_PLAYERS):
        if time.monotonic() >= until or not lease.renew():
            return False
        with transaction.atomic():
            whose = tuple(map(Person, users[first : first + BATCH_PLAYERS]))
            publishing.publish(TimeCredited(outage=outage.pk, people=whose))
    return True


def _earliest(batch: list[Player]) -> datetime:
    return min(player.since for player in batch if player.since is not None)
