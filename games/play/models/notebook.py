"""Notebook model: what a player has noted of one match, and what they have seen of it; sealed."""

from django.db import models

from games.play.models.match import Player

PARTS = ("memory", "marks", "note")  # each sealed to its own context
NOTEBOOK_COLUMNS = ("ply", *PARTS)


class Notebook(models.Model):
    """The one notebook of a player in a match; its parts are written apart from each other."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="notebook", primary_key=True)
    ply = models.PositiveIntegerField(default=0)  # up to which `memory` goes
    memory = models.BinaryField(null=True)  # what became of each piece, see rules' following
    marks = models.BinaryField(null=True)  # guesses and words on the opponent's pieces
    note = models.BinaryField(null=True)  # private notes on the match

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id}"
