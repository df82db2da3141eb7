"""Groups: how many, who plays in which, and lots that anybody can check."""

import hashlib
import random

import pytest

from games.competitions.draw.groups import Entrant, Grouping, deal, group_count, largest_group
from games.competitions.draw.lots import new_seed


@pytest.mark.parametrize(
    ("entries", "size", "groups"),
    [(3, 6, 1), (6, 6, 1), (7, 6, 2), (24, 6, 4), (5, 3, 1), (7, 3, 2), (96, 10, 10), (1, 3, 1)],
)
def test_groups_have_at_least_three_players(entries: int, size: int, groups: int) -> None:
    assert group_count(entries, size) == groups


@pytest.mark.parametrize(
    ("most", "size", "largest"),
    [(3, 3, 3), (4, 3, 4), (5, 3, 5), (96, 3, 5), (4, 4, 4), (96, 4, 5), (96, 5, 5), (24, 6, 6)],
)
def test_a_group_is_larger_than_wanted_rather_than_another_too_small(
    most: int, size: int, largest: int
) -> None:
    assert largest_group(most, size) == largest


def members(grouping: Grouping, ratings: list[int], size: int) -> list[list[int]]:
    """The users of each group, by number; the first has the first rating."""
    entrants = [Entrant(user, rating) for user, rating in enumerate(ratings, 1)]
    dealt = deal(entrants, size, grouping, "seed")
    return [sorted(entrant.user for entrant in group) for group in dealt]


def test_even_groups_are_filled_in_a_snake_order() -> None:
    falling = [2000 - 10 * place for place in range(8)]
    assert members(Grouping.EVEN, falling, 3) == [[1, 4, 5, 8], [2, 3, 6, 7]]


def test_sections_are_consecutive_and_the_longer_ones_come_first() -> None:
    falling = [2000 - 10 * place for place in range(11)]
    assert members(Grouping.SECTIONS, falling, 4) == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10, 11]]


def test_equal_ratings_are_in_the_order_of_users() -> None:
    assert members(Grouping.SECTIONS, [1500] * 6, 3) == [[1, 2, 3], [4, 5, 6]]


def test_lots_follow_from_the_seed() -> None:
    entrants = [Entrant(user, 1500) for user in range(1, 6)]
    random.Random(4).shuffle(entrants)
    (group,) = deal(entrants, 6, Grouping.EVEN, "tulip")
    by_hand = sorted(range(1, 6), key=lambda u: hashlib.sha256(b"tulip:%d" % u).hexdigest())
    assert [entrant.user for entrant in group] == by_hand


def test_two_seeds_give_different_lots() -> None:
    assert len({new_seed() for _ in range(100)}) == 100
