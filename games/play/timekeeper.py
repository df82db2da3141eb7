"""What time brings about, without anybody visiting: reminders, and matches whose time is up.

Every clock that runs names the instant at which somebody has to look at it, and an index lists
these in order. Looking twice, or by ten at once, changes nothing.
"""

import logging
from collections import Counter
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from games.play import clock, clocks, commands
from games.play.models.match import Player
from games.relay import outbox
from games.relay.moment import now

logger = logging.getLogger(__name__)

BATCH = 200  # clocks looked at in one go
LATER = timedelta(minutes=5)  # until a clock is looked at again that could not be dealt with


def sweep() -> Counter[str]:
    """Look at the clocks that are due, the longest due first; what was done, by its name.

    "ended": matches that this call ended; "reminded": reminders that it posted.
    """
    at = now()
    done: Counter[str] = Counter()
    for player in due(at):
        try:
            done[_look_at(player, at)] += 1
        except Exception:
            # One match that cannot be opened must not keep the others from being dealt with.
            logger.exception("The clock of match %s could not be dealt with.", player.match_id)
            clocks.found(player).update(check_at=at + LATER)
    if done["ended"]:
        logger.info("Ended %d matches whose time was up.", done["ended"])
    return done


def due(at: datetime) -> QuerySet[Player]:
    """The clocks that somebody has to look at."""
    players = Player.objects.filter(check_at__lte=at).order_by("check_at")
    return players.select_related("match", "user")[:BATCH]


def _look_at(player: Player, at: datetime) -> str:
    """Do what is due for one clock; the name of what was done, "" for nothing."""
    if clock.is_late(at - clock.GRACE, player.deadline):
        return "ended" if commands.claim_time(player.match_id) else ""
    return "reminded" if _remind(player, at) else ""


def _remind(player: Player, at: datetime) -> bool:
    """Post the reminder that is due, and name the next instant; False if there was none."""
    if player.since is None or player.deadline is None:
        return False
    rung = clock.rung_due(player.since, player.deadline, at)
    with transaction.atomic():
        # Whoever moves the instant on posts the reminder.
        mine = clocks.found(player).filter(check_at=player.check_at)
        if not mine.update(check_at=clock.next_check(player.since, player.deadline, at)):
            return False
        if rung is None:
            return False
        outbox.post(
            "deadline-near",
            user=player.user_id,
            match=player.match_id,
            ply=player.match.ply,
            rung=rung,
        )
    return True
