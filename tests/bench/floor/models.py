"""The tables of a lean move: what it locks and the three rows it writes."""

from typing import Any, ClassVar

from django.db import models


class Lean(models.Model):
    objects: ClassVar[models.Manager[Any]]

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return str(self.pk)


class Game(Lean):
    ply = models.PositiveIntegerField(default=0)
    state = models.CharField(max_length=200)


class Turn(Lean):
    game = models.ForeignKey(Game, models.CASCADE)
    number = models.PositiveIntegerField()
    text = models.TextField()
    at = models.DateTimeField()


class Notice(Lean):
    user_id = models.BigIntegerField()
    game_id = models.BigIntegerField()
    ply = models.PositiveIntegerField()
    at = models.DateTimeField()
