"""Models of competitions. Django finds them here; other code imports them from their modules."""

from games.competitions.ladders import models as ladders
from games.competitions.tournaments import models as tournaments

__all__ = ["ladders", "tournaments"]
