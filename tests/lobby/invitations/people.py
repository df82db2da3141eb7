"""Players with ratings and misses, without the matches that led to them."""

from datetime import datetime

from accounts.models import User
from games.play.models.match import Player
from games.ratings.models import Rating
from lib.db_clock import now
from tests.ratings.results import finished


def rate(user: User, rating: float, deviation: float = 60, family: str = "lattaque") -> None:
    """Give a user a rating as of now."""
    Rating.objects.update_or_create(
        user=user,
        family=family,
        defaults={"rating": rating, "deviation": deviation, "last_at": now(), "counted": 20},
    )


def miss(user: User, other: User, at: datetime) -> None:
    """Have a user lose a match on time."""
    match = finished(user, other, "N", at, reason="time", rated=False)
    Player.objects.filter(match=match, user=user).update(missed_at=at)
