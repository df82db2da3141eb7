"""Retention periods of the lobby: what is kept for how long."""

from datetime import timedelta

from django.db.models import Q

from games.lobby.models import OPEN, Invitation
from lib.retention import Kept, oldest_first

KEPT = (
    Kept(
        "invitations that were accepted, declined, withdrawn or expired, with their messages",
        timedelta(days=180),
        "that",
        "the primary key",
        oldest_first(Invitation, "created_at", lambda horizon: ~OPEN & Q(closed_at__lt=horizon)),
        Invitation,
    ),
)
