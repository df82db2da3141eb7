"""Model of following: who is notified when a match is over. Only the follower ever reads it."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.play.models.match import Match


class Follow(models.Model):
    """A user who follows a match that they do not play."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    since = models.DateTimeField()
    # When the match ended; null while it is live.
    ended_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint("match", "user", name="follow_once")]
        indexes = [
            models.Index(
                fields=["ended_at"],
                name="follow_ended",
                condition=models.Q(ended_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"follow #{self.pk}"
