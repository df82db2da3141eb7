"""Admin pages of the play app. Django finds them here."""

from games.play.admin import matches, times

__all__ = ["matches", "times"]
