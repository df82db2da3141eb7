"""Draft model: a prepared move or set-up that is not sent yet, sealed like the plies."""

from django.db import models

from games.play.models.match import Player
from games.play.models.sealed import PURPOSE
from lib.sealed_fields import SealedField


class Draft(models.Model):
    """The one draft of a player in a match."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="+", primary_key=True)
    ply = models.PositiveIntegerField()  # the ply it was prepared for
    # A move's text, or a set-up, possibly unfinished.
    sealed = SealedField(label="drafts", purpose=PURPOSE, context="draft/{player_id}")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id}"
