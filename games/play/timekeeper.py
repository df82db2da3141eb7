"""What time brings about, without anybody visiting: reminders, and matches whose time is up.

Every clock that runs names the instant at which somebody has to look at it, and an index lists
these in order. Looking twice, or by ten at once, changes nothing.
"""

import logging
from collections import Counter
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from games.play import breaker, clock, clocks, commands, outages, timeoff
from games.play.models.match import Player, Status
from games.relay import outbox
from games.relay.moment import now

logger = logging.getLogger(__name__)

BATCH = 200  # clocks looked at in one go
LATER = timedelta(minutes=5)  # until a clock is looked at again that could not be dealt with


def sweep() -> Counter[str]:
    """Look at the clocks that are due, the longest due first; what was done, by its name.

    "ended": matches that this call ended; "reminded": reminders that it posted; "covered":
    deadlines that a vacation moved; "announced": holidays that began; "claimable": matches whose
    opponents were told; "held": matches that the breaker keeps from ending.
    """
    outages.settle()
    at = now()
    done: Counter[str] = Counter()
    done["announced"] = timeoff.announce(at)
    late = []
    for player in due(at):
        try:
            if not clock.is_late(at - clock.GRACE, player.deadline):
                done["reminded"] += _remind(player, at)
            elif timeoff.cover(player, at):
                done["covered"] += 1
            elif player.match.waits_for_claim:
                done["claimable"] += _tell_opponent(player)
            else:
                late.append(player)
        except Exception:
            _put_off(player, at)
    if not breaker.let_through(late, at):
        done["held"] = len({player.match_id for player in late})
        clocks.put_off(late, at + LATER)
    elif ended := [player for player in late if _end(player, at)]:
        done["ended"] = len(ended)
        breaker.count(ended, at)
        logger.info("Ended %d matches whose time was up.", len(ended))
    # Last, since a mail server that is away may take half a minute to say so.
    breaker.tell(at)
    return done


def due(at: datetime) -> QuerySet[Player]:
    """The clocks that somebody has to look at."""
    players = Player.objects.filter(check_at__lte=at).order_by("check_at")
    return players.select_related("match", "user")[:BATCH]


def _end(player: Player, at: datetime) -> bool:
    try:
        return commands.claim_time(player.match_id)
    except Exception:
        _put_off(player, at)
        return False


def _put_off(player: Player, at: datetime) -> None:
    """One match that cannot be opened must not keep the others from being dealt with."""
    logger.exception("The clock of match %s could not be dealt with.", player.match_id)
    clocks.put_off([player], at + LATER)


def _tell_opponent(player: Player) -> bool:
    """Nothing ends; whoever waits may claim the match, add a day, or go on waiting."""
    with transaction.atomic():
        if not clocks.found(player).filter(check_at=player.check_at).update(check_at=None):
            return False
        others = Player.objects.filter(match=player.match_id).exclude(pk=player.pk)
        for user_id in others.values_list("user", flat=True):
            # By what it was set, so that they are told again when a day more has passed too.
            ids = {"match": player.match_id, "ply": player.match.ply, "wound": player.wound}
            outbox.post("time-up", user=user_id, **ids)
    return True


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
        match = player.match
        # Whoever sets up is reminded as often, whether the other army stands by then or not.
        ply = 0 if match.status == Status.SETUP else match.ply
        outbox.post("deadline-near", user=player.user_id, match=match.pk, ply=ply, rung=rung)
    return True
