"""The tables of the table. Django finds the models here; code imports their own modules."""

from games.play.models import draft, match, ply, setup, time

__all__ = ["draft", "match", "ply", "setup", "time"]
