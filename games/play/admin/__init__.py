"""Admin pages of the play app. Django finds them here."""

from games.play.admin import halted_timeouts, matches, outages

__all__ = ["halted_timeouts", "matches", "outages"]
