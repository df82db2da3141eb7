"""Outages: what a clock gets back for one, and the credit of a single match.

Every clock that ran gets the lost time back, once, and a respite after it: a day, or a quarter of
its bank (TimeControl.respite). If web servers were merely slow, which anybody can bring about who
keeps enough connections busy, the respite is no longer than the outage: it gains nobody anything.

All clocks are credited by a worker (settlement.py), and nobody loses on time before that is done. A
player who acts meanwhile has the clocks of that match credited at once (`credit_match`).
"""

import logging
from datetime import timedelta

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from games.outbox.db_clock import now
from games.play import time_controls
from games.play.clocks import adjustment_log, heartbeat, running
from games.play.clocks.rest import Interval
from games.play.clocks.running import NewClock
from games.play.models.match import Match, Player
from games.play.models.time import Adjustment, Outage

logger = logging.getLogger(__name__)


def owed() -> QuerySet[Outage]:
    """The outages that were not credited to every clock yet, oldest first."""
    return Outage.objects.filter(credited_at=None).order_by("end")


def owed_clocks(outage: Outage) -> QuerySet[Player]:
    """The clocks that ran during an outage and have not been credited yet."""
    share = Adjustment.objects.filter(match=OuterRef("match"), seat=OuterRef("seat"), outage=outage)
    ran = Player.objects.filter(since__lt=outage.end, deadline__isnull=False, bank__isnull=False)
    return ran.exclude(Exists(share)).order_by("pk").select_related("match", "user")


def credit_match(match_id: int) -> int:
    """Give the clocks of a match back what is owed to them; how many changed.

    To be called before anybody is refused, or loses, because of time. Two short queries where no
    outage is open. The request itself shows that moves can be taken, so that it may end an outage.
    """
    return _credit(match_id)


def credit_outages() -> int:
    """As `credit_match`, for all matches; for a command that does not name its match."""
    return _credit(None)


def credited(player: Player, outage: Outage, away: list[Interval] | None = None) -> NewClock:
    """A clock with an outage given back; `away` are the player's vacations if they were read."""
    lost = lost_time(player, outage)
    try:
        least = outage.end + _respite(player.match, outage)
        return running.longer(player, lost, outage.end, least=least, away=away)
    except Exception:
        # Whatever cannot be read of this player's rest or match must hold up nobody else.
        logger.exception("The clock of match %s is credited without rests.", player.match_id)
        return running.shifted(player, lost, outage.end + time_controls.DAY)


def lost_time(player: Player, outage: Outage) -> timedelta:
    """How much of an outage fell into the running time of a clock."""
    assert player.since is not None  # noqa: S101 - owed_clocks asks for it
    return outage.end - max(outage.start, player.since)


def _credit(match_id: int | None) -> int:
    if heartbeat.is_overdue(heartbeat.newest(), now()):
        heartbeat.beat()
    changed = 0
    for outage in owed():
        clocks = owed_clocks(outage)
        for player in clocks if match_id is None else clocks.filter(match=match_id):
            # If the clock was set since it was read, it is read again, if it still runs.
            found: Player | None = player
            while found is not None and not _give_back(found, outage):
                found = owed_clocks(outage).filter(pk=player.pk).first()
            changed += found is not None
    return changed


def _give_back(player: Player, outage: Outage) -> bool:
    with transaction.atomic():
        if not running.set_clocks([credited(player, outage)]):
            return False
        adjustment_log.note_outage([(player, lost_time(player, outage))], outage)
    return True


def _respite(match: Match, outage: Outage) -> timedelta:
    usual = match.budget().respite
    return min(usual, outage.end - outage.start) if outage.stalled else usual
