"""Standings: tables worked out by hand, and many against a slow second implementation."""

import random
from fractions import Fraction
from typing import Any

import pytest

from games.competitions.ranking import tables
from tests import tiers

VALUES = {"1": 2, "+": 2, ">": 2, "=": 1, "~": 1, "v": 1, "0": 0, "-": 0, "<": 0, ".": 0}
FACING = ["10", "01", "==", "+-", "-+", "--", "vv", "><", "<>", "~~", ".."]


def rank(*rows: str, matches: int = 1, withdrawn: str = "") -> list[dict[str, Any]]:
    players = [chr(97 + lot) for lot in range(len(rows))]
    given = {"matches": matches, "players": players, "cross": list(rows)}
    return tables.rank({**given, "withdrawn": list(withdrawn)})


def line(standings: list[dict[str, Any]], player: str) -> tuple[Any, ...]:
    (one,) = (each for each in standings if each["player"] == player)
    return tuple(one[name] for name in ("place", "points", "direct", "sb", "wins", "status"))


def test_points_come_before_direct_results_sonneborn_berger_and_wins() -> None:
    standings = rank("* 1 0 1", "0 * 1 1", "1 0 * 1", "0 0 0 *")
    # Three have 2 points and beat each other in a circle; all numbers are equal.
    assert line(standings, "a") == (1, "2", "1", "2", 2, "in")
    assert [each["place"] for each in standings] == [1, 1, 1, 4]
    assert [each["player"] for each in standings] == ["a", "b", "c", "d"]


def test_only_equal_players_share_a_place() -> None:
    standings = rank("* 1 = =", "0 * 1 =", "= 0 * 1", "= = 0 *")
    assert line(standings, "a") == (1, "2", "0", "2.75", 1, "in")
    # b and c have 1.5: b has beaten c.
    assert line(standings, "b") == (2, "1.5", "1", "2", 1, "in")
    assert line(standings, "c") == (3, "1.5", "0", "2", 1, "in")
    assert line(standings, "d") == (4, "1", "0", "1.75", 0, "in")


def test_a_win_without_play_is_a_point_and_no_win() -> None:
    standings = rank("* + v", "- * >", "v < *")
    assert line(standings, "a") == (1, "1.5", "0", "1.25", 0, "in")
    assert line(standings, "b") == (2, "1", "0", "0.5", 0, "in")


def test_a_player_who_withdrew_early_is_left_out() -> None:
    standings = rank("* 1 1 +", "0 * = +", "0 = * 0", "- - 1 *", withdrawn="d")
    assert standings[-1] == {
        **dict.fromkeys(("place", "points", "direct", "sb", "wins")),
        "player": "d",
        "status": "left out",
    }
    assert line(standings, "c") == (2, "0.5", "0.5", "0.25", 0, "in")
    assert line(standings, "b") == (2, "0.5", "0.5", "0.25", 0, "in")


def test_a_player_who_withdrew_at_the_half_keeps_a_place() -> None:
    standings = rank("* 1 1", "0 * +", "0 - *", withdrawn="c")
    assert line(standings, "c") == (3, "0", "0", "0", 0, "withdrawn")
    assert line(standings, "b") == (2, "1", "0", "0", 0, "in")


def test_sets_are_the_sum_of_their_signs() -> None:
    standings = rank("** 1- =.", "+0 ** v1", ".= 0v **", matches=2)
    assert line(standings, "a") == (2, "1.5", "0", "3", 1, "in")
    assert line(standings, "b") == (1, "2.5", "0", "3", 1, "in")
    assert line(standings, "c") == (3, "1", "0", "2", 0, "in")


def test_numbers_of_large_tables_are_exact() -> None:
    assert tables.decimal(Fraction(156817, 4)) == "39204.25"
    assert tables.decimal(Fraction(10)) == "10"
    assert tables.decimal(Fraction(0)) == "0"


def slow_standings(rows: list[list[str]], matches: int, gone: set[int]) -> list[tuple[Any, ...]]:
    """The same, written again: place, lot and numbers in the order of the table."""
    size = len(rows)
    out = set()
    for lot in gone:
        signs = "".join(rows[lot][other] for other in range(size) if other != lot)
        completed = len([sign for sign in signs if sign in "10=><~"])
        if completed / ((size - 1) * matches) < 0.5:
            out.add(lot)
    there = [lot for lot in range(size) if lot not in out]

    def won(lot: int, other: int) -> Fraction:
        return Fraction(sum(VALUES[sign] for sign in rows[lot][other]), 2)

    points = {lot: Fraction(0) for lot in there}
    for lot in there:
        for other in there:
            if other != lot:
                points[lot] += won(lot, other)
    keyed = []
    for lot in there:
        direct = berger = Fraction(0)
        wins = 0
        for other in there:
            if other == lot:
                continue
            if points[other] == points[lot]:
                direct += won(lot, other)
            berger += won(lot, other) * points[other]
            wins += len([sign for sign in rows[lot][other] if sign == "1"])
        keyed.append(((points[lot], direct, berger, wins), lot))
    keyed.sort(key=lambda pair: (tuple(-number for number in pair[0]), pair[1]))
    table: list[tuple[Any, ...]] = []
    for position, (key, lot) in enumerate(keyed, 1):
        shared = table and table[-1][2:] == key
        table.append((table[-1][0] if shared else position, lot, *key))
    return [*table, *((None, lot, None, None, None, None) for lot in sorted(out))]


@pytest.mark.parametrize("seed", tiers.parameters(range(10), fast=range(2)))
def test_random_tables_agree_with_the_slow_implementation(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(100):
        size, matches = chance.randint(2, 10), chance.choice((1, 2))
        rows = [["*" * matches] * size for _ in range(size)]
        for lot in range(size):
            for other in range(lot):
                signs = [chance.choice(FACING) for _ in range(matches)]
                rows[lot][other] = "".join(pair[0] for pair in signs)
                rows[other][lot] = "".join(pair[1] for pair in reversed(signs))
        gone = set(chance.sample(range(size), chance.randint(0, size // 2)))
        given = {
            "matches": matches,
            "players": list(range(1, size + 1)),
            "withdrawn": [lot + 1 for lot in gone],
            "cross": [" ".join(row) for row in rows],
        }
        standings = tables.rank(given)
        expected = slow_standings(rows, matches, gone)
        numbers = [
            (
                each["place"],
                each["player"] - 1,
                *(
                    None if each[name] is None else Fraction(each[name])
                    for name in ("points", "direct", "sb")
                ),
                each["wins"],
            )
            for each in standings
        ]
        assert numbers == expected
