"""Models of the play app. Django finds them here; other code imports them from their modules."""

from games.play.models import draft, look, match, match_secrets, notebook, plan, ply, setup, time

__all__ = ["draft", "look", "match", "match_secrets", "notebook", "plan", "ply", "setup", "time"]
