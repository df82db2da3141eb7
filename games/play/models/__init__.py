"""Models of the play app. Django finds them here; code imports them from their own modules."""

from games.play.models import draft, match, notebook, ply, setup, time

__all__ = ["draft", "match", "notebook", "ply", "setup", "time"]
