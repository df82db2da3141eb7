"""Outages: the time that a clock gets back for one, and the credit of a single match.

Every clock that ran gets the lost time back, once, and has at least a respite after it: a day, or a
quarter of its bank (TimeControl.respite). If web servers were only slow, the respite is not longer
than the outage: a user can cause slowness by keeping connections busy, and must gain nothing by it.

An outage that requests of one account have caused (load.py) gives no time back. Only a clock of
another account that ran out during it runs on for the length of the outage, so that a user who
stalls the service does not win on time by it.

A worker credits all clocks (settlement.py), and nobody loses on time before that is done. If a
player acts earlier, the clocks of that match are credited at once (`credit_match`).

A move may have arrived before an outage and be read after it. Its turn ended when it arrived, so
its player gets nothing back (`take_back`), and the next player does (`credit_turn`).
"""

import logging
from collections.abc import Collection, Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from games.play import time_controls
from games.play.clocks import adjustment_log, heartbeat, running
from games.play.clocks.rest import Interval
from games.play.clocks.running import NewClock
from games.play.models.match import Match, Player
from games.play.models.time import Adjustment, Outage
from lib.db_clock import now

logger = logging.getLogger(__name__)


def owed() -> QuerySet[Outage]:
    """The outages that were not yet credited to every clock, oldest first."""
    return Outage.objects.filter(credited_at=None).order_by("end")


def clocks_that_ran(outage: Outage) -> QuerySet[Player]:
    """The running clocks that also ran during an outage, credited or not.

    Of an outage that one account has caused: the clocks of others that ran out by its end.
    """
    ran = Player.objects.filter(since__lt=outage.end, deadline__isnull=False, bank__isnull=False)
    if outage.caused_by_id is not None:
        ran = ran.filter(deadline__gte=outage.start, deadline__lt=_reprieve(outage))
        ran = ran.exclude(user=outage.caused_by_id)
    return ran.order_by("pk").select_related("match", "user")


def owed_among(players: Collection[Player], outage: Outage) -> list[Player]:
    """Those of these players whose clocks an outage is still to be credited to.

    To be asked after they were read: a concurrent credit sets the clock, which is noticed. A query
    of its own: the database's statistics do not cover a new outage yet, so with a join PostgreSQL
    would compare each clock with each credit.
    """
    credits = Adjustment.objects.filter(outage=outage, match__in=[p.match_id for p in players])
    credited = set(credits.values_list("match_id", "seat"))
    return [player for player in players if (player.match_id, player.seat) not in credited]


def credit_match(match_id: int) -> int:
    """Credit the clocks of a match with what is owed to them; returns the number of changed clocks.

    To be called before a player is refused, or loses, because of time. Two short queries where no
    outage is open. The request itself shows that moves can be taken, so it may end an outage.
    """
    if heartbeat.is_overdue(heartbeat.newest(), now()):
        heartbeat.beat()
    return _credit(match_id, owed())


def credit_turn(match_id: int, began: datetime) -> int:
    """Credit a turn that an action has opened in the past with the outages since, settled or not.

    When they were settled, it was not known yet whose clock had run.
    """
    return _credit(match_id, Outage.objects.filter(end__gt=began).order_by("pk"))


def _credit(match_id: int, among: Iterable[Outage]) -> int:
    changed = 0
    for outage in among:
        clocks = clocks_that_ran(outage).filter(match=match_id)
        # A clock that was set since it was read is read again, if it still runs.
        while unpaid := owed_among(list(clocks), outage):
            changed += sum(_give_back(player, outage) for player in unpaid)
    return changed


def take_back(player: Player, at: datetime) -> None:
    """Take back what a clock got for outages after `at`, when its player's answer had arrived.

    To be called in the transaction that writes the answer. Raises ClockChanged.
    """
    if player.since is None:
        return
    given = Adjustment.objects.filter(
        match=player.match_id, seat=player.seat, outage__end__gt=at, span__gt=time_controls.ZERO
    )
    taken = time_controls.ZERO
    for one in given.select_related("outage"):
        assert one.outage and one.span  # noqa: S101 - the query asks for them
        due = max(at - max(one.outage.start, player.since), time_controls.ZERO)
        if one.span > due:
            taken += one.span - due
            # The entry stays, with zero time: a logged outage is not credited again.
            Adjustment.objects.filter(pk=one.pk).update(span=due)
    if taken:
        running.shorten(player, taken)


def credited(player: Player, outage: Outage, away: list[Interval] | None = None) -> NewClock:
    """A clock with an outage credited; `away` are the player's vacations if they were read."""
    lost = lost_time(player, outage)
    try:
        if outage.caused_by_id is not None:
            least = _reprieve(outage)
            return running.longer(player, time_controls.ZERO, outage.end, least=least, away=away)
        least = outage.end + _respite(player.match, outage)
        return running.longer(player, lost, outage.end, least=least, away=away)
    except Exception:
        # An unreadable rest or match of one player must not stop the settlement of the others.
        logger.exception("The clock of match %s is credited without rests.", player.match_id)
        return running.shifted(player, lost, outage.end + time_controls.DAY)


def lost_time(player: Player, outage: Outage) -> timedelta:
    """How much of an outage overlaps with the running time of a clock.

    Of an outage that one account has caused: the time that the clock lacks until its reprieve.
    """
    assert player.since is not None  # noqa: S101 - clocks_that_ran asks for it
    if outage.caused_by_id is not None:
        assert player.deadline is not None  # noqa: S101 - likewise
        return max(_reprieve(outage) - player.deadline, time_controls.ZERO)
    return outage.end - max(outage.start, player.since)


def _give_back(player: Player, outage: Outage) -> bool:
    with transaction.atomic():
        if not running.set_clocks([credited(player, outage)]):
            return False
        adjustment_log.note_outage([(player, lost_time(player, outage))], outage)
    return True


def _reprieve(outage: Outage) -> datetime:
    """The earliest deadline of a clock that ran out during an outage caused by one account."""
    return outage.end + (outage.end - outage.start)


def _respite(match: Match, outage: Outage) -> timedelta:
    usual = match.budget().respite
    return min(usual, outage.end - outage.start) if outage.stalled else usual
