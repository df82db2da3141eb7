"""What a player has prepared and not sent yet: as secret as what is played."""

from django.db import models

from games.play.models.match import Player


class Draft(models.Model):
    player = models.OneToOneField(Player, models.CASCADE, related_name="+", primary_key=True)
    ply = models.PositiveIntegerField()  # the ply it was prepared for
    sealed = models.BinaryField()  # a move's text, or a set-up however unfinished

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id}"
