"""Admin pages of the play app. Django finds them here."""

from games.play.admin import halted_timeouts, looks, matches, outages

__all__ = ["halted_timeouts", "looks", "matches", "outages"]
