"""Berger tables, against those that FIDE prints (Handbook C.05, Annex 1)."""

import pytest

from games.competitions.draw import berger

# A line for each even number of players: its rounds.
PRINTED = """
4
1-4 2-3
4-3 1-2
2-4 3-1

6
1-6 2-5 3-4
6-4 5-3 1-2
2-6 3-1 4-5
6-5 1-4 2-3
3-6 4-2 5-1

8
1-8 2-7 3-6 4-5
8-5 6-4 7-3 1-2
2-8 3-1 4-7 5-6
8-6 7-5 1-4 2-3
3-8 4-2 5-1 6-7
8-7 1-6 2-5 3-4
4-8 5-3 6-2 7-1

10
1-10 2-9 3-8 4-7 5-6
10-6 7-5 8-4 9-3 1-2
2-10 3-1 4-9 5-8 6-7
10-7 8-6 9-5 1-4 2-3
3-10 4-2 5-1 6-9 7-8
10-8 9-7 1-6 2-5 3-4
4-10 5-3 6-2 7-1 8-9
10-9 1-8 2-7 3-6 4-5
5-10 6-4 7-3 8-2 9-1

12
1-12 2-11 3-10 4-9 5-8 6-7
12-7 8-6 9-5 10-4 11-3 1-2
2-12 3-1 4-11 5-10 6-9 7-8
12-8 9-7 10-6 11-5 1-4 2-3
3-12 4-2 5-1 6-11 7-10 8-9
12-9 10-8 11-7 1-6 2-5 3-4
4-12 5-3 6-2 7-1 8-11 9-10
12-10 11-9 1-8 2-7 3-6 4-5
5-12 6-4 7-3 8-2 9-1 10-11
12-11 1-10 2-9 3-8 4-7 5-6
6-12 7-5 8-4 9-3 10-2 11-1

14
1-14 2-13 3-12 4-11 5-10 6-9 7-8
14-8 9-7 10-6 11-5 12-4 13-3 1-2
2-14 3-1 4-13 5-12 6-11 7-10 8-9
14-9 10-8 11-7 12-6 13-5 1-4 2-3
3-14 4-2 5-1 6-13 7-12 8-11 9-10
14-10 11-9 12-8 13-7 1-6 2-5 3-4
4-14 5-3 6-2 7-1 8-13 9-12 10-11
14-11 12-10 13-9 1-8 2-7 3-6 4-5
5-14 6-4 7-3 8-2 9-1 10-13 11-12
14-12 13-11 1-10 2-9 3-8 4-7 5-6
6-14 7-5 8-4 9-3 10-2 11-1 12-13
14-13 1-12 2-11 3-10 4-9 5-8 6-7
7-14 8-6 9-5 10-4 11-3 12-2 13-1

16
1-16 2-15 3-14 4-13 5-12 6-11 7-10 8-9
16-9 10-8 11-7 12-6 13-5 14-4 15-3 1-2
2-16 3-1 4-15 5-14 6-13 7-12 8-11 9-10
16-10 11-9 12-8 13-7 14-6 15-5 1-4 2-3
3-16 4-2 5-1 6-15 7-14 8-13 9-12 10-11
16-11 12-10 13-9 14-8 15-7 1-6 2-5 3-4
4-16 5-3 6-2 7-1 8-15 9-14 10-13 11-12
16-12 13-11 14-10 15-9 1-8 2-7 3-6 4-5
5-16 6-4 7-3 8-2 9-1 10-15 11-14 12-13
16-13 14-12 15-11 1-10 2-9 3-8 4-7 5-6
6-16 7-5 8-4 9-3 10-2 11-1 12-15 13-14
16-14 15-13 1-12 2-11 3-10 4-9 5-8 6-7
7-16 8-6 9-5 10-4 11-3 12-2 13-1 14-15
16-15 1-14 2-13 3-12 4-11 5-10 6-9 7-8
8-16 9-7 10-6 11-5 12-4 13-3 14-2 15-1
"""


def fide_rounds(players: int) -> list[list[str]]:
    """FIDE's rounds of an even number of players, as pairs such as 1-4."""
    tables = (block.splitlines() for block in PRINTED.strip().split("\n\n"))
    by_size = {int(first): [line.split() for line in lines] for first, *lines in tables}
    return by_size[players]


def our_rounds(players: int) -> list[list[str]]:
    return [[f"{south}-{north}" for south, north in each] for each in berger.rounds(players)]


@pytest.mark.parametrize("players", range(4, 17, 2))
def test_even_groups_have_the_printed_table(players: int) -> None:
    assert our_rounds(players) == fide_rounds(players)


@pytest.mark.parametrize("players", range(3, 16, 2))
def test_odd_groups_have_the_next_table_without_its_highest_lot(players: int) -> None:
    bye = str(players + 1)
    expected = [[p for p in pairs if bye not in p.split("-")] for pairs in fide_rounds(players + 1)]
    assert our_rounds(players) == expected


@pytest.mark.parametrize("players", [2, 7, 30, 99, 100])
def test_every_player_meets_every_other_once(players: int) -> None:
    pairings = list(berger.pairings(players))
    assert len(pairings) == players * (players - 1) // 2
    assert len({frozenset((each.south, each.north)) for each in pairings}) == len(pairings)
    for each in berger.rounds(players):
        lots = [lot for pair in each for lot in pair]
        assert len(lots) == len(set(lots))


@pytest.mark.parametrize("players", [-1, 0, 1, 101])
def test_other_numbers_are_refused(players: int) -> None:
    with pytest.raises(ValueError, match="2 to 100"):
        berger.rounds(players)
