"""Plan model: the conditional moves of a player in a match, sealed."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from django.db import models

from games.play.models.match import Player
from games.play.models.sealed import PURPOSE
from lib.sealed_fields import SealedField


class PlanState(models.TextChoices):
    """What became of a plan."""

    STANDING = "standing"  # its lines wait for the opponent's turn
    DROPPED = "dropped"  # no line fitted a turn of the opponent, or its answer was not legal
    FAILED = "failed"  # its answer could not be played because of a fault of the service
    ENDED = "ended"  # its last answer was played
    DELETED = "deleted"  # its player deleted it; the row keeps the version


class Wait(StrEnum):
    """When a plan answers; the values are stored, and those of the field of the page."""

    WHILE = "while"  # after a pause
    NOW = "now"


class PlanRow(NamedTuple):
    """The columns of a plan in clear, as they are read with a match page."""

    ply: int
    version: int
    state: PlanState
    due_at: datetime | None
    counts_at: datetime | None
    played: list[int]


class Plan(models.Model):
    """The one plan of a player in a match. Nothing but the sealed part tells its lines."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="plan", primary_key=True)
    # The ply of the board on which the opponent is to act; it counts for no other board.
    ply = models.PositiveIntegerField()
    version = models.PositiveIntegerField(default=1)  # each write names the version it has read
    state = models.CharField(max_length=10, choices=PlanState.choices, default=PlanState.STANDING)
    # Lines, wait, the answer that waits, and why the plan was dropped.
    sealed = SealedField(label="plans", purpose=PURPOSE, context="plan/{player_id}")
    # When the task looks at it, to play the answer that waits or to try again; null: not at all.
    due_at = models.DateTimeField(null=True)
    # The instant as of which the answer that waits counts, however late it is played.
    counts_at = models.DateTimeField(null=True)
    failures = models.PositiveSmallIntegerField(default=0)  # of the answer that is due, in a row
    # Numbers of the plies that it played since its player's last move by hand.
    played = models.JSONField(default=list)

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(
                fields=["due_at"], name="plan_due", condition=models.Q(due_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}"
