"""The whole truth of every match, ply by ply, sealed; ledger.py alone opens it."""

from django.db import models

from games.play.models.kind import Kind
from games.play.models.match import SEATS, Match


class Ply(models.Model):
    """One accepted action. The newest row is the present: no second copy can disagree with it.

    No admin, no reverse name: nothing leads from a match to its plies by accident.
    """

    pk = models.CompositePrimaryKey("match_id", "number")
    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    number = models.PositiveIntegerField()
    seat = models.SmallIntegerField(choices=SEATS, null=True)  # none: the server itself
    kind = models.CharField(max_length=6, choices=Kind.choices)
    text = models.TextField()  # what everybody saw, annotated; empty for a set-up
    sealed = models.BinaryField()  # the position after it, and a set-up's own text
    at = models.DateTimeField()  # arrival, by the database's clock
    head = models.BinaryField(max_length=32)  # of the hash chain over the public parts

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.match_id}/{self.number}"
