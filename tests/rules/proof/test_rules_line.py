"""The rules line of every edition: what a verifier needs to know, as the rules play it."""

import json
from typing import Any

import pytest

from games.rules.core.state.events import Clashed
from games.rules.proof.rules_line import rules_line
from games.rules.registry import editions, ruleset
from tests.rules.proof.matches import HIDDEN
from tests.rules.shortcuts import game


def line_of(preset: str, **switches: bool | int | str) -> dict[str, Any]:
    fields = json.loads(rules_line(ruleset(preset, switches)))
    assert isinstance(fields, dict)
    return fields


def test_the_line_of_lattaque_is_this() -> None:
    line = rules_line(ruleset("lattaque-en"))
    assert line.startswith(
        '{"format":"estafette/rules/1","preset":"lattaque-en","zone":{"S":"a4 b4 c4 d4 '
    )
    assert ' j1","N":"a10 b10 ' in line
    assert line.endswith(
        '"pieces":36,"army":{"M":1,"G":1,"C":2,"J":2,"K":4,"L":4,"S":4,"E":4,"R":8,"Y":1,"B":4,'
        '"F":1},"returns":"","lower":{},"convert":false,"against":"M G C J K L S E R Y B F",'
        '"battle":{"M":"= + + + + + + + + + - #","G":"- = + + + + + + + + - #",'
        '"C":"- - = + + + + + + + - #","J":"- - - = + + + + + + - #",'
        '"K":"- - - - = + + + + + - #","L":"- - - - - = + + + + - #",'
        '"S":"- - - - - - = + + + - #","E":"- - - - - - - = + + + #",'
        '"R":"- - - - - - - - = + - #","Y":"+ - - - - - - - - = - #"}}'
    )


def test_a_game_that_hides_nothing_has_no_more_than_its_name() -> None:
    assert rules_line(ruleset("assaut-free")) == (
        '{"format":"estafette/rules/1","preset":"assaut-free"}'
    )


def test_winners_that_go_back_are_listed() -> None:
    assert line_of("lattaque-zh-return")["returns"] == "M G C J K L S E R Y"
    assert line_of("lattaque-gibson")["returns"] == "R"
    assert line_of("tactique")["returns"] == ""
    # A tile that attacks with 0 wins only by destroying the 6-6.
    returns = line_of("domino-return")["returns"].split()
    assert len(returns) == 43
    assert [tile for tile in returns if tile[0] == "0"] == ["00"]


def test_demotions_are_listed() -> None:
    line = line_of("tactique")
    assert line["lower"] == {"C": "V'", "V": "P'", "P": "I'", "I": "W'"}
    assert line["against"] == "C V P I A F V' P' I' W'"
    assert line["battle"]["C"] == "= +d +d +d + # + + + +"
    assert line["battle"]["W'"] == "- - - - + # - - - ="
    assert "A" not in line["battle"]
    assert [line_of(key)["convert"] for key in ("tactique", "tactique-convert")] == [False, True]


def test_options_change_the_table() -> None:
    plain, both = line_of("lattaque-en"), line_of("lattaque-en", spy_both=True)
    assert (plain["battle"]["M"][18], both["battle"]["M"][18]) == ("+", "-")
    archer = line_of("tactique", d1_takes_archer=False)
    assert archer["battle"]["W'"] == "- - - - = # - - - ="
    assert rules_line(ruleset("lattaque-en", {"limit": 7})) == rules_line(ruleset("lattaque-en"))


def test_a_battle_that_decides_is_marked_whichever_side_wins() -> None:
    table = line_of("domino")["battle"]
    against = dict(zip(line_of("domino")["against"].split(), range(49), strict=True))
    decided = {
        (one, two) for one in table for two in against if table[one].split()[against[two]] == "#"
    }
    sixes = {"06", "16", "26", "36", "46", "56"}
    # The 6-6 is destroyed by what attacks with 6, by the 0-0, and by the 0-0's defence.
    assert ("00", "66") in decided and ("66", "00") in decided and ("66", "66") in decided
    assert {one for one, two in decided if two == "66"} >= {tile[::-1] for tile in sixes}
    assert all("66" in pair for pair in decided)


def test_domino_has_its_set_of_tiles() -> None:
    line = line_of("domino")
    assert (line["pieces"], line["aside"], len(line["lot"].split())) == (24, 4, 26)
    assert list(line)[-2:] == ["lot", "aside"]


@pytest.mark.parametrize("preset", HIDDEN)
def test_each_battle_of_a_random_game_is_in_the_table(preset: str) -> None:
    rules = ruleset(preset)
    line = line_of(preset)
    against = line["against"].split()
    battles = 0
    for seed in range(3):
        for *_before, events in game(rules, seed, plies=150):
            for event in events:
                if isinstance(event, Clashed):
                    signs = line["battle"][event.attacker].split()
                    assert signs[against.index(event.defender)] == event.result
                    battles += 1
    assert battles > 5


def test_each_row_has_a_sign_for_each_rank() -> None:
    for rules in editions():
        if rules.hidden:
            line = line_of(rules.key)
            count = len(line["against"].split())
            assert {len(row.split()) for row in line["battle"].values()} == {count}
            assert len(line["battle"]) > 5
