"""Models of talk: sealed lines of the players of a match, and which of them e-mails have had."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from games.play.models.match import Match, Player
from lib.sealed_fields import SealedField

PURPOSE = "talk"  # of sealing


class Line(models.Model):
    """Something that a player of a match wrote to the other one."""

    # No index: the one of the constraint begins with it.
    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveSmallIntegerField()  # within the match, from 1
    # No index: the one below begins with it.
    writer = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    at = models.DateTimeField()
    # Empty: removed, since the writer erased their account.
    text = SealedField(
        label="talk", purpose=PURPOSE, context="talk/{match_id}/{number}", default=b""
    )
    # The reader blocked the writer when it was written, so it is never shown to the reader.
    hidden = models.BooleanField(default=False)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint("match", "number", name="talk_line_once")]
        indexes = [models.Index(fields=["writer", "at"], name="talk_line_by_writer")]

    def __str__(self) -> str:
        return f"line {self.number} of match #{self.match_id}"


class EmailedTalk(models.Model):
    """Which lines of a match e-mails to a player have had, and when these were sent."""

    player = models.OneToOneField(Player, models.CASCADE, primary_key=True, related_name="+")
    number = models.PositiveSmallIntegerField(
        default=0
    )  # of the newest line that one had or counted
    # The last e-mail that was sent because of talk, and how many were since `counted_since`.
    sent_at = models.DateTimeField(null=True)
    counted_since = models.DateTimeField(null=True)
    count = models.PositiveSmallIntegerField(default=0)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"talk e-mails to player #{self.player_id}"
