"""Leader tables: the players of a game with an established rating, the best first.

Keyset pagination: a page is found by the player that it follows, not by an offset.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet

from games.ratings.models import Rating
from games.ratings.shown import Shown, show
from lib.db_clock import now

LEADERS_A_PAGE = 100
TOP = 5  # of each game on the page of all games


class Leader(NamedTuple):
    """A row of the table."""

    place: int
    rating: Rating
    shown: Shown


class Page(NamedTuple):
    """Rows of the table, and the id of the user after whom the next page starts, if any."""

    leaders: Sequence[Leader]
    after: int | None


def page(family: str, after: int | None = None) -> Page:
    """The page after the user `after`, or the first one if that user has no rating.

    Two queries, four for a later page.
    """
    at = now()
    listed = _listed(family, at)
    first = 1
    last = Rating.objects.filter(family=family, user=after).first() if after else None
    if last is not None:
        # Among equal ratings the id decides, as in the order of the list.
        above = listed.filter(rating__gte=last.rating)
        first += above.exclude(rating=last.rating, user__gt=last.user_id).count()
        below = listed.filter(rating__lte=last.rating)
        listed = below.exclude(rating=last.rating, user__lte=last.user_id)
    rows = list(listed.select_related("user")[: LEADERS_A_PAGE + 1])
    more = len(rows) > LEADERS_A_PAGE
    rows = rows[:LEADERS_A_PAGE]
    return Page(_places(rows, first, at), rows[-1].user_id if more else None)


def top(family: str, at: datetime) -> Sequence[Leader]:
    """The first rows of a game's table at an instant; one query."""
    return _places(list(_listed(family, at).select_related("user")[:TOP]), 1, at)


def _listed(family: str, at: datetime) -> QuerySet[Rating]:
    """The ratings of a game's table: of players who are neither closed nor blocked."""
    ratings = Rating.objects.filter(family=family, leads_until__gt=at, user__is_active=True)
    return ratings.order_by("-rating", "user")


def _places(rows: Sequence[Rating], first: int, at: datetime) -> list[Leader]:
    return [Leader(place, row, show(row, at)) for place, row in enumerate(rows, first)]
