"""Admin pages of competitions. Django finds them here."""

from games.competitions.tournaments import admin as tournaments

__all__ = ["tournaments"]
