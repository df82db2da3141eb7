"""Admin pages of ratings. Django finds them here."""

from games.ratings.admin import families, units

__all__ = ["families", "units"]
