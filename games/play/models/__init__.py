"""Models of the play app. Django finds them here; other code imports them from their modules."""

from games.play.models import draft, match, match_secrets, notebook, plan, ply, setup, time

__all__ = ["draft", "match", "match_secrets", "notebook", "plan", "ply", "setup", "time"]
