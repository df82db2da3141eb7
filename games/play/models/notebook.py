"""Notebook model: a player's memory, marks and notes of one match, sealed."""

from typing import Any

from django.db import models

from games.play.models.match import Player
from games.play.models.sealed import PURPOSE
from lib.sealed_fields import SealedField

# Each part is sealed to its own context. These are read with every page of the match, `practice`
# only on its own page.
PARTS = ("memory", "marks", "note")
NOTEBOOK_COLUMNS = ("ply", *PARTS)


def _part(name: str) -> Any:
    context = f"{name}/{{player_id}}"
    return SealedField(label="notebooks", purpose=PURPOSE, context=context, null=True)


class Notebook(models.Model):
    """The one notebook of a player in a match; its parts are written separately."""

    player = models.OneToOneField(Player, models.CASCADE, related_name="notebook", primary_key=True)
    ply = models.PositiveIntegerField(default=0)  # the ply up to which `memory` goes
    memory = _part("memory")  # what became of each piece, see `following` in the rules
    marks = _part("marks")  # guesses and words on the opponent's pieces
    note = _part("note")  # private notes on the match
    practice = _part("practice")  # the practice board: guesses, moves and lines that were kept

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id}"
