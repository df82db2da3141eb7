"""Admin pages of competitions. Django finds them here."""

from games.competitions.ladders.pages import admin as ladders

__all__ = ["ladders"]
