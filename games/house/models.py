"""HouseSeat model: a seat that the house plays, and its place in the queue of thoughts."""

from django.db import models
from django.db.models import Q

from games.play.models.match import Player
from lib.sealed_fields import SealedField

PURPOSE = "house"  # of sealing


class HouseSeat(models.Model):
    """What the house keeps of a match beside the match: a seed, and when to answer.

    All else is worked out anew from what the seat has seen, so that a worker that is killed over a
    thought has lost nothing.
    """

    player = models.OneToOneField(
        Player, models.CASCADE, related_name="house_seat", primary_key=True
    )
    level = models.CharField(max_length=20)  # of games.bots.levels
    # Decides every answer, together with what the seat has seen.
    seed = SealedField(label="house seats", purpose=PURPOSE, context="seed/{player_id}")
    # Whether it takes its time, as somebody far away would.
    leisurely = models.BooleanField(default=False)
    # The ply at which it was last found to be its turn, and when it is to answer that.
    ply = models.PositiveIntegerField(null=True)
    due_at = models.DateTimeField(null=True)
    lease_until = models.DateTimeField(null=True)  # until then a worker is thinking about it
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
