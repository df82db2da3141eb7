"""Which units count, by the reasons in their order, and the ratings that follow."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from games.ratings.glicko.counting import ABSENCE, PAIR, SHORT, STAFF, Facts, rate

START = datetime(2026, 1, 1, tzinfo=UTC)


def unit(number: int, day: float, a: str = "a", b: str = "b", **fields: object) -> Facts:
    at = START + timedelta(days=day)
    base = Facts(number, at, at, a, b, 1.0, 10, False, None)
    return replace(base, **fields)  # type: ignore[arg-type]


def reasons(*units: Facts) -> list[str]:
    return [rated.why for rated in rate(units)]


def test_staff_come_before_short_matches() -> None:
    assert reasons(unit(1, 0, taken_out=True, least_turns=1), unit(2, 1, least_turns=1)) == [
        STAFF,
        SHORT,
    ]


def test_the_fourth_of_a_pair_within_thirty_days_does_not_count() -> None:
    days = (0, 1, 2, 29.9, 30, 31)
    assert reasons(*(unit(n, day) for n, day in enumerate(days, 1))) == ["", "", "", PAIR, "", ""]


def lost(number: int, day: float, last: float | None, winner: str) -> Facts:
    ply = None if last is None else START + timedelta(days=last)
    return unit(number, day, "away", winner, score=0, lost_on_time=True, loser_last_ply_at=ply)


def test_a_player_who_disappears_loses_three_matches_and_no_more() -> None:
    units = [lost(n, n, last=0, winner=f"w{n}") for n in range(1, 7)]
    assert reasons(*units) == ["", "", "", ABSENCE, ABSENCE, ABSENCE]
    assert reasons(*(replace(each, loser_last_ply_at=None) for each in units))[3:] == [ABSENCE] * 3


def test_a_player_who_plays_on_loses_them_all() -> None:
    units = [lost(n, n, last=n - 0.5, winner=f"w{n}") for n in range(1, 7)]
    assert reasons(*units) == [""] * 6


def test_losses_that_did_not_count_still_show_absence() -> None:
    units = [lost(n, n, last=0, winner=f"w{n}") for n in range(1, 5)]
    units[0] = replace(units[0], least_turns=0)
    assert reasons(*units) == [SHORT, "", "", ABSENCE]


@pytest.mark.parametrize("score", [0, 0.25, 0.5, 0.75, 1])
def test_both_are_rated_from_their_earlier_states(score: float) -> None:
    (rated,) = rate([unit(1, 0, score=score)])
    assert rated.before is not None and rated.after is not None
    assert rated.before[0] == rated.before[1]
    gained = [after.rating - 1500 for after in rated.after]
    assert sum(gained) == pytest.approx(0)
    assert (gained[0] > 0) == (score > 0.5)


def test_the_opponents_deviation_is_that_of_the_day() -> None:
    first, second = rate([unit(1, 0), unit(2, 700, "a", "c")])
    assert first.after is not None and second.before is not None
    assert second.before[0].deviation > first.after[0].deviation
    assert second.before[0].rating == first.after[0].rating
