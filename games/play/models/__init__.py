"""Models of the play app. Django finds them here; other code imports them from their modules."""

from games.play.models import draft, match, notebook, ply, setup, time

__all__ = ["draft", "match", "notebook", "ply", "setup", "time"]
