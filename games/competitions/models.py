"""Models of competitions. Django finds them here; other code imports them from their modules."""

from games.competitions.tournaments import models as tournaments

__all__ = ["tournaments"]
