"""Plays the answers that are due, by a task that looks for them every 15 seconds."""

import time

from django.conf import settings

from games.play.commands.plans.answering import Outcome, answer_due
from games.play.record.sealed import plans
from lib.db_clock import now

SHARE_SECONDS = 45.0  # of one run; the worker has other tasks
BATCH_PLANS = 200  # tried in one run; the next one goes on


def answer_plans(seconds: float = SHARE_SECONDS) -> int:
    """Play the answers that are due, the longest due first; returns how many were played.

    A restored copy of a database, whose e-mails are held, plays none.
    """
    if settings.HOLD_EMAILS:
        return 0
    until, answered = time.monotonic() + seconds, 0
    for match_id, player_id, version in plans.due(now(), BATCH_PLANS):
        if time.monotonic() >= until:
            break
        answered += answer_due(match_id, player_id, version) is Outcome.ANSWERED
    return answered
