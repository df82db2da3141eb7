"""HouseSeat model: a seat that the house plays, and when its answer is due."""

from django.db import models
from django.db.models import Q

from games.play.models.match import Player
from lib.sealed_fields import SealedField

PURPOSE = "house"  # of sealing


class HouseSeat(models.Model):
    """What the house stores for a seat: a seed, and when to answer.

    Everything else is computed from what the seat has seen, so a killed worker loses nothing.
    """

    player = models.OneToOneField(
        Player, models.CASCADE, related_name="house_seat", primary_key=True
    )
    level = models.CharField(max_length=20)  # of games.bots.levels
    # The seed and what the seat has seen determine every answer.
    seed = SealedField(label="house seats", purpose=PURPOSE, context="seed/{player_id}")
    # Whether it answers after a pause, as in a correspondence game.
    leisurely = models.BooleanField(default=False)
    # The ply of the newest turn that was scheduled, and when its answer is due.
    ply = models.PositiveIntegerField(null=True)
    due_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)  # until then one worker owns the row
    failures = models.PositiveSmallIntegerField(default=0)  # at this ply

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(
                fields=["due_at"], name="house_seat_due", condition=Q(due_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player_id}"
