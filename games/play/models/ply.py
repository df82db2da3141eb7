"""Ply model: a row for each action of a match, with the position after it sealed.

Only record/match_store.py unseals a position.
"""

from django.db import models

from games.play.models.kind import PlyKind
from games.play.models.match import SEATS, Match
from games.play.models.sealed import PURPOSE
from lib.sealed_fields import SealedField


class Ply(models.Model):
    """An accepted action of a match. The newest row is the current state; there is no second copy.

    No admin page and no reverse relation, so that no code gets from a match to plies by accident.
    """

    pk = models.CompositePrimaryKey("match_id", "number")
    # Each ply is written right after an update of its match, and matches are never deleted. A
    # constraint would lock the match once more, which is written to the log with every move.
    match = models.ForeignKey(
        Match, models.CASCADE, related_name="+", db_index=False, db_constraint=False
    )
    number = models.PositiveIntegerField()
    seat = models.SmallIntegerField(choices=SEATS, null=True)  # null: the server
    kind = models.CharField(max_length=6, choices=PlyKind.choices)
    text = models.TextField()  # the public, annotated text; empty for a set-up
    # The position after it, and the text of a set-up.
    sealed = SealedField(
        label="plies", purpose=PURPOSE, context="ply/{match_id}/{number}", append_only=True
    )
    at = models.DateTimeField()  # arrival, by the database's clock
    head = models.BinaryField(max_length=32)  # of the hash chain over the public parts
    # Of a set-up its army hash, of an ending its result and reason, in matches with proofs.
    extra = models.TextField(blank=True, default="", db_default="")

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number}"
