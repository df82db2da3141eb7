"""Admin pages of competitions. Django finds them here."""

from games.competitions.ladders.pages import admin as ladders
from games.competitions.tournaments import admin as tournaments

__all__ = ["ladders", "tournaments"]
