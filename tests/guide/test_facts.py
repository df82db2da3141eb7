"""Facts that the guide computes from the rules, checked against hand-counted values."""

from games.guide.game_pages.pictures import pictures
from games.guide.game_pages.tables import tables
from games.presentation import rule_queries
from games.rules.core.basics.pieces import Seat
from games.rules.registry import ruleset


def cells(family: str, name: str) -> dict[str, list[str]]:
    return {head.short: row for head, row in tables(family)[name].rows}


def test_a_scout_moves_as_far_as_the_first_enemy_and_not_over_a_lake() -> None:
    pieces = {"d4": "R", "h4": "b", "b4": "L", "f1": "F"}
    targets = rule_queries.targets(ruleset("lattaque-en"), pieces, "d4")
    assert targets == ["c4", "d1", "d2", "d3", "e4", "f4", "g4", "h4"]


def test_the_table_of_lattaque_has_twelve_defenders_and_the_known_exceptions() -> None:
    table = cells("lattaque", "battles")
    assert list(table) == list("MGCJKLSERY")
    assert {len(row) for row in table.values()} == {12}
    assert (table["Y"][0], table["M"][9]) == ("+", "+")
    assert table["E"][10] == "+"
    assert {row[11] for row in table.values()} == {"#"}


def test_domino_battles_are_decided_by_numbers_except_for_fifteen() -> None:
    assert all(
        row[defence] == ("=" if int(attack) == defence else "+" if int(attack) > defence else "-")
        for attack, row in cells("domino", "battles").items()
        for defence in range(7)
    )
    rows = tables("domino")["decisive"].rows
    verdicts = {(head.short, row[0]): row[1] for head, row in rows}
    assert len(rows) == len(verdicts) == 15
    beaten_by = {attacker for attacker, defender in verdicts if defender == "6-6"}
    assert beaten_by == {"0-0", "6-0", "6-1", "6-2", "6-3", "6-4", "6-5", "6-6"}
    assert verdicts["0-0", "6-6"] == "The attacker's side wins"
    assert verdicts["6-6", "0-0"] == verdicts["6-6", "3-6"] == "The defender's side wins"
    assert verdicts["6-6", "6-6"].endswith("a draw")


def test_tactique_demotes_before_it_removes() -> None:
    table = cells("tactique", "battles")
    assert list(table) == ["C", "V", "P", "I", "V'", "P'", "I'", "W'"]
    assert table["C"] == ["=", "+d", "+d", "+d", "+", "#", "+", "+", "+", "+"]
    assert table["W'"] == ["-", "-", "-", "-", "+", "#", "-", "-", "-", "="]


def test_an_archer_reaches_eight_squares() -> None:
    marks = pictures("tactique")["volley"].marks
    hit = {square for square, states in marks.items() if "hit" in states}
    assert hit == {"d2", "d6", "b4", "f4", "c3", "c5", "e3", "e5"}


def test_a_cavalryman_charges_straight_and_around_corners() -> None:
    marks = pictures("tactique")["charge"].marks
    assert {square for square, states in marks.items() if "battle" in states} == {"d6", "c4", "f3"}


def test_assaut_has_33_points_and_72_lines() -> None:
    lines = rule_queries.lines(ruleset("assaut"), "O", Seat.NORTH)
    assert len(lines) == 72
    assert len({point for line in lines for point in line}) == 33


def test_soldiers_take_shortest_ways() -> None:
    table = cells("assaut", "ways")
    assert table["a5"] == ["b5"]
    assert table["d4"] == ["c5, d5, e5"]
    assert table["c3"] == ["b4, c4, d4"]
    assert table["e1"] == ["d2, e2"]


def test_an_officers_chain_is_three_jumps_long() -> None:
    assert pictures("assaut")["chain"].arrows == (("d6", "d4"), ("d4", "f4"), ("f4", "d2"))


def test_an_officer_that_missed_its_capture_may_be_huffed() -> None:
    marks = pictures("assaut")["huff"].marks
    assert [square for square, states in marks.items() if "offender" in states] == ["d6"]
