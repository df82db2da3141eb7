"""The limits of ladders, without a database."""

from datetime import timedelta

import pytest

from games.competitions.ladders import limits
from tests.ratings.results import day

DAYS = timedelta(days=1)


@pytest.mark.parametrize(
    ("members", "places"),
    [(1, 3), (30, 3), (31, 4), (40, 4), (41, 5), (91, 10), (100, 10), (400, 10)],
)
def test_the_reach_grows_with_the_ladder_up_to_ten(members: int, places: int) -> None:
    assert limits.reach(members) == places


def test_the_top_five_places_take_three_challenges() -> None:
    assert [limits.most_in(place) for place in (1, 5, 6, 100)] == [3, 3, 2, 2]


def test_vacations_do_not_count_as_days_without_a_move() -> None:
    away = [(day(10), day(15)), (day(12), day(20)), (day(40), day(41))]
    assert limits.after(day(0), 8 * DAYS, away) == day(8)
    assert limits.after(day(0), 10 * DAYS, away) == day(10)
    assert limits.after(day(0), 11 * DAYS, away) == day(21)
    assert limits.after(day(0), 38 * DAYS, away) == day(49)
    assert limits.after(day(18), 5 * DAYS, away) == day(25)
    assert limits.after(day(50), 5 * DAYS, away) == day(55)


def test_a_vacation_in_parts_counts_as_one() -> None:
    parts = [(day(1), day(5)), (day(5.9), day(9)), (day(11), day(20))]
    assert limits.away_since(parts, day(8)) == day(1)
    assert limits.away_since(parts, day(12)) == day(11)
    assert limits.away_since(parts, day(10)) is None
    assert limits.away_since([], day(10)) is None
