"""What falls due: matches whose time is up, and reminders. Doing it twice changes nothing."""

import logging

from django.db import transaction
from django.db.models import F

from games.play import clock, commands
from games.play.models.match import Player
from games.relay import outbox
from games.relay.moment import now

logger = logging.getLogger(__name__)

BATCH = 200  # matches taken up in one go


def end_overdue() -> int:
    """End the matches whose deadline and grace have passed; how many this call ended."""
    due = Player.objects.filter(to_act=True, deadline__lt=now() - clock.GRACE)
    matches = due.order_by("deadline").values_list("match_id", flat=True)[:BATCH]
    ended = 0
    for match_id in dict.fromkeys(matches):
        try:
            ended += commands.claim_time(match_id)
        except Exception:
            # One match that cannot be opened must not keep the others from being ended.
            logger.exception("Match %s could not be ended.", match_id)
    if ended:
        logger.info("Ended %d matches whose time was up.", ended)
    return ended


def post_reminders() -> int:
    """Post the reminders that are due, each once; how many this call posted."""
    due = Player.objects.filter(to_act=True, remind_at__lte=now()).order_by("remind_at")
    posted = 0
    for player in due.annotate(ply=F("match__ply"))[:BATCH]:
        with transaction.atomic():
            # Whoever clears the instant posts the reminder.
            still_due = Player.objects.filter(pk=player.pk, to_act=True, remind_at=player.remind_at)
            if still_due.update(remind_at=None):
                outbox.post(
                    "deadline-near", user=player.user_id, match=player.match_id, ply=player.ply
                )
                posted += 1
    return posted
