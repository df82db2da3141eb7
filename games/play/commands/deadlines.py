"""Deadline sweep: sends reminders and ends matches whose time is up, without any visitor.

Every running clock stores when it is to be checked next, and an index lists those instants. The
sweep is idempotent: running it twice, or ten at once, changes nothing.
"""

import logging
from collections import Counter
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet

from games.outbox import outbox
from games.outbox.db_clock import now
from games.play import time_controls
from games.play.clocks import breaker, outages, running
from games.play.commands import endings, time_off
from games.play.models.match import Player, Status

logger = logging.getLogger(__name__)

BATCH_CLOCKS = 200  # read in one sweep
RETRY_AFTER = timedelta(minutes=5)  # after a failure, or while the breaker is open


def sweep() -> Counter[str]:
    """Check the clocks that are due, the longest overdue first; counts of what was done.

    "ended": matches ended on time; "reminded": reminders posted; "covered": deadlines moved by a
    vacation; "announced": planned vacations that began; "claimable": matches whose opponents were
    notified that they may claim the win; "held": matches that the breaker kept from ending.
    """
    outages.credit_outages()
    at = now()
    done: Counter[str] = Counter()
    done["announced"] = time_off.announce(at)
    late = []
    for player in due(at):
        try:
            if not time_controls.is_late(at - time_controls.DEADLINE_GRACE, player.deadline):
                done["reminded"] += _remind(player, at)
            elif time_off.take_vacation(player, at):
                done["covered"] += 1
            elif player.match.waits_for_claim:
                done["claimable"] += _notify_opponent(player)
            else:
                late.append(player)
        except Exception:
            _check_later(player, at)
    if not breaker.allow(late, at):
        done["held"] = len({player.match_id for player in late})
        running.check_later(late, at + RETRY_AFTER)
    elif ended := [player for player in late if _end(player, at)]:
        done["ended"] = len(ended)
        breaker.count_timeouts(ended, at)
        logger.info("Ended %d matches whose time was up.", len(ended))
    # Last, since a mail server that is down may take half a minute to time out.
    breaker.alert_admins(at)
    return done


def due(at: datetime) -> QuerySet[Player]:
    """The clocks to be checked at `at`, at most a batch."""
    players = Player.objects.filter(check_at__lte=at).order_by("check_at")
    return players.select_related("match", "user")[:BATCH_CLOCKS]


def _end(player: Player, at: datetime) -> bool:
    try:
        return endings.claim_time(player.match_id)
    except Exception:
        _check_later(player, at)
        return False


def _check_later(player: Player, at: datetime) -> None:
    """Log a failure and retry later: one broken match must not keep the others from their turn."""
    logger.exception("The clock of match %s could not be checked.", player.match_id)
    running.check_later([player], at + RETRY_AFTER)


def _notify_opponent(player: Player) -> bool:
    """Notify the opponent that time is up: they may claim the win, add a day, or wait."""
    with transaction.atomic():
        if not running.unchanged(player).filter(check_at=player.check_at).update(check_at=None):
            return False
        others = Player.objects.filter(match=player.match_id).exclude(pk=player.pk)
        for user_id in others.values_list("user", flat=True):
            # With the clock version, so that they are notified again after a day more has passed.
            ids = {
                "match": player.match_id,
                "ply": player.match.ply,
                "clock_version": player.clock_version,
            }
            outbox.post("time-up", user=user_id, **ids)
    return True


def _remind(player: Player, at: datetime) -> bool:
    """Post the reminder that is due and store the next check; False if none was due."""
    if player.since is None or player.deadline is None:
        return False
    step = time_controls.reminder_due(player.since, player.deadline, at)
    with transaction.atomic():
        # Optimistic lock: the sweep that moves the instant on posts the reminder.
        mine = running.unchanged(player).filter(check_at=player.check_at)
        if not mine.update(check_at=time_controls.next_check(player.since, player.deadline, at)):
            return False
        if step is None:
            return False
        match = player.match
        # During set-up the ply changes with the other army, which must not cause another reminder.
        ply = 0 if match.status == Status.SETUP else match.ply
        outbox.post("deadline-near", user=player.user_id, match=match.pk, ply=ply, step=step)
    return True
