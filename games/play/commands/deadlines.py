"""Deadline sweep: sends reminders and ends matches whose time is up, without any request.

Every running clock stores when to check it next, in an indexed column. The sweep is idempotent:
running it again, or ten at once, changes nothing. It continues batch by batch until nothing is due
or its time budget is used up.
"""

import logging
import time
from collections import Counter
from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Q, QuerySet

from games.outbox import leases, publishing
from games.outbox.events import people
from games.play import ports, time_controls
from games.play.clocks import breaker, heartbeat, outages, running
from games.play.commands import endings, time_off
from games.play.commands.plans.answering import Outcome, answer_turn
from games.play.events import DeadlineNear, TimeUp
from games.play.models.match import Player, Status
from games.play.models.time import Heartbeat
from lib.db_clock import now

logger = logging.getLogger(__name__)

SHARE_SECONDS = 45.0  # of one sweep; the worker has other tasks
BATCH_CLOCKS = 200  # read at a time
RETRY_AFTER = breaker.RECHECK_AFTER  # after a failure, or while the breaker holds a player

Place = tuple[datetime, int]  # in the order of checks


def sweep(seconds: float = SHARE_SECONDS) -> Counter[str]:
    """Check the due clocks, the longest overdue first; returns counts of what was done.

    "ended": matches ended on time; "reminded": reminders posted; "covered": deadlines moved by a
    vacation; "announced": planned vacations that began; "claimable": matches whose opponents were
    notified that they may claim the win; "held": matches that the breaker kept from ending. Does
    nothing if another worker holds the lease.
    """
    done: Counter[str] = Counter()
    with leases.claimed("sweep") as lease:
        if lease is None:
            return done
        until, last = time.monotonic() + seconds, None
        done["announced"] = time_off.announce(now())
        while time.monotonic() < until and lease.renew():
            at, beat = now(), heartbeat.newest()
            # While no move can be taken, or time is owed, no player's time is up.
            if heartbeat.is_overdue(beat, at) or outages.owed().exists():
                break
            batch = list(due(at, last))
            if not batch:
                break
            last = _check_batch(batch, at, beat, done)
    if done["ended"]:
        logger.info("Ended %d matches whose time was up.", done["ended"])
    # Last, since an unreachable mail server may take half a minute to time out.
    breaker.alert_admins(now())
    return done


def due(at: datetime, after: Place | None = None) -> QuerySet[Player]:
    """The clocks to check at `at`, at most a batch; only those that come `after` a place."""
    players = Player.objects.filter(check_at__lte=at).order_by("check_at", "pk")
    if after is not None:
        check_at, pk = after
        players = players.filter(check_at__gte=check_at)
        players = players.filter(Q(check_at__gt=check_at) | Q(pk__gt=pk))
    return players.select_related("match", "user")[:BATCH_CLOCKS]


def _check_batch(
    batch: list[Player], at: datetime, beat: Heartbeat | None, done: Counter[str]
) -> Place:
    """Check these clocks, and count what was done; returns the place of the last."""
    late, unset = [], []
    overdue = [player.user_id for player in batch if _is_overdue(player, at)]
    unread = ports.first_unread(overdue)
    for player in batch:
        try:
            if not _is_overdue(player, at):
                done["reminded"] += _remind(player, at)
            elif beat and player.deadline and beat.last_beat_at < player.deadline:
                # The next heartbeat will show whether moves could be taken until then.
                continue
            elif player.deadline and unread.get(player.user_id, at) <= player.deadline:
                # Possibly their move: it arrived in time, however late it is read.
                continue
            elif _answers_by_plan(player):
                # An answer that is due counts, however late it is played.
                continue
            elif time_off.take_vacation(player, at):
                done["covered"] += 1
            elif player.match.waits_for_claim:
                done["claimable"] += _notify_opponent(player)
            elif player.match.status == Status.SETUP:
                unset.append(player)
            else:
                late.append(player)
        except Exception:
            _check_later(player, at)
    # A match that was never set up has no loser, so the breaker does not count it.
    done["ended"] += len(_end(unset, at))
    ending = breaker.allowed(late, at)
    free = {player.pk for player in ending}
    held = [player for player in late if player.pk not in free]
    running.check_later(held, at, at + RETRY_AFTER)
    done["held"] += len({player.match_id for player in held})
    ended = _end(ending, at)
    breaker.note_losses(ended, at)
    done["ended"] += len(ended)
    return batch[-1].check_at or at, batch[-1].pk


def _answers_by_plan(player: Player) -> bool:
    """Whether the player's plan has answered, or will."""
    if player.match.status != Status.RUNNING:
        return False
    outcome = answer_turn(player.match_id, player.user_id, player.match.turn_ply)
    return outcome in (Outcome.ANSWERED, Outcome.WAITS, Outcome.FAILED)


def _is_overdue(player: Player, at: datetime) -> bool:
    return time_controls.is_late(at - time_controls.DEADLINE_GRACE, player.deadline)


def _end(players: Iterable[Player], at: datetime) -> list[Player]:
    """End the matches of these players; returns the players whose match ended."""
    return [player for player in players if _claim_time(player, at)]


def _claim_time(player: Player, at: datetime) -> bool:
    try:
        return endings.claim_time(player.match_id)
    except Exception:
        _check_later(player, at)
        return False


def _check_later(player: Player, at: datetime) -> None:
    """Log a failure and retry later, so that one broken match does not stop the others."""
    logger.exception("The clock of match %s could not be checked.", player.match_id)
    running.check_later([player], at, at + RETRY_AFTER)


def _notify_opponent(player: Player) -> bool:
    """Notify the opponent that time is up: they may claim the win, add a day, or wait."""
    with transaction.atomic():
        if not running.unchanged(player).filter(check_at=player.check_at).update(check_at=None):
            return False
        others = Player.objects.filter(match=player.match_id).exclude(pk=player.pk)
        publishing.publish(
            TimeUp(
                match=player.match_id,
                ply=player.match.ply,
                # So that they are notified again if time runs out again after an added day.
                clock_version=player.clock_version,
                people=people(other.user for other in others.select_related("user")),
            )
        )
    return True


def _remind(player: Player, at: datetime) -> bool:
    """Publish the reminder that is due and store the next check; False if none was due."""
    if player.since is None or player.deadline is None:
        return False
    step = time_controls.reminder_due(player.since, player.deadline, at)
    with transaction.atomic():
        # Optimistic lock: the sweep that updates check_at publishes the reminder.
        unchanged = running.unchanged(player).filter(check_at=player.check_at)
        if not unchanged.update(
            check_at=time_controls.next_check(player.since, player.deadline, at)
        ):
            return False
        if step is None:
            return False
        match = player.match
        # During set-up the ply changes with the opponent's set-up, which must not repeat the
        # reminder.
        ply = 0 if match.status == Status.SETUP else match.ply
        whose = people([player.user])
        publishing.publish(DeadlineNear(match=match.pk, ply=ply, step=step, people=whose))
    return True
