"""Models of competitions. Django finds them here; other code imports them from their modules."""

from games.competitions.ladders import models as ladders

__all__ = ["ladders"]
