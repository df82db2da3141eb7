"""Ratings as they are shown: rounded, with the deviation of today."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from math import floor
from typing import NamedTuple

from games.ratings.glicko.counting import ESTABLISHED, Standing
from games.ratings.glicko.formula import START, State
from games.ratings.models import Rating
from lib.db_clock import now


class Shown(NamedTuple):
    """A rating in points, with its deviation aged to today; both rounded half up."""

    rating: int
    deviation: int
    established: bool
    counted: int = 0

    def __str__(self) -> str:
        """For example 1534 ± 61, or 1500? ± 350."""
        return f"{self.rating}{'' if self.established else '?'} ± {self.deviation}"


UNRATED = Shown(round(START), 350, established=False)


def shown_ratings(user_ids: Iterable[int], family: str) -> dict[int, Shown]:
    """The shown ratings of these users in a family; UNRATED for those without one. One query."""
    wanted = set(user_ids)
    at = now()
    rows = Rating.objects.filter(user__in=wanted, family=family)
    return dict.fromkeys(wanted, UNRATED) | {row.user_id: show(row, at) for row in rows}


def ratings_by_game(user_ids: Iterable[int], at: datetime) -> dict[tuple[int, str], Shown]:
    """The ratings of these users as shown at an instant, by user id and family. One query.

    There is none for those without a rating, who are shown as UNRATED.
    """
    rows = Rating.objects.filter(user__in=set(user_ids))
    return {(row.user_id, row.family): show(row, at) for row in rows}


def shown_rating(user_id: int, family: str) -> Shown:
    """The shown rating of a user in a family."""
    return shown_ratings([user_id], family)[user_id]


def show(rating: Rating, at: datetime) -> Shown:
    """A stored rating as it is shown at an instant."""
    aged = Standing(rating.state, rating.last_at).aged(at)
    return of_state(aged, rating.counted)


def of_state(state: State, counted: int = 0) -> Shown:
    """A state as it is shown."""
    rating, deviation = floor(state.rating + 0.5), floor(state.deviation + 0.5)
    return Shown(rating, deviation, state.deviation <= ESTABLISHED, counted)
