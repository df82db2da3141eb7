"""Terminations: the phrases in records, stored positions and answers of the referee."""

import pytest

from games.rules.core.basics.refusals import BadPosition
from games.rules.core.basics.termination import OffBoardTermination
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Outcome
from games.rules.core.text.notation import read_position, write_position
from games.rules.registry import editions
from tests.floors import at_least
from tests.rules.shortcuts import opened, recorded, rules_of

ARMIES = {"no mobile piece left", "no legal move", "neither side can move", "no progress"}
PHRASES = {
    "lattaque": {"flag captured"} | ARMIES,
    "tactique": {"flag captured", "flag shot"} | ARMIES,
    "domino": {"6-6 destroyed", "both 6-6 destroyed"} | ARMIES,
    "assaut": {
        "officers blown",
        "fortress filled",
        "sixteen captured",
        "soldiers cannot move",
        "officers blocked",
        "officers blocked (forbidden)",
        "no progress",
    },
}


@pytest.mark.parametrize("rules", editions(), ids=lambda rules: rules.key)
def test_a_game_ends_in_the_phrases_of_the_notation(rules: Ruleset) -> None:
    assert {str(ending) for ending in rules.terminations} == PHRASES[rules.family]


def test_players_and_clock_end_a_match_in_the_phrases_of_the_notation() -> None:
    assert list(OffBoardTermination) == ["resigned", "agreed", "time"]


@pytest.mark.parametrize("rules", editions(), ids=lambda rules: rules.key)
def test_every_ending_is_read_back_from_a_position_as_it_was_written(rules: Ruleset) -> None:
    for ending in at_least(3, rules.terminations):
        position = opened(rules, 1)._replace(outcome=Outcome(None, ending))
        outcome = read_position(rules, write_position(rules, position)).outcome
        assert outcome and outcome.reason is ending


@pytest.mark.parametrize("rules", editions(), ids=lambda rules: rules.key)
def test_a_random_game_ends_in_a_listed_way(rules: Ruleset) -> None:
    _, last = recorded(rules, 3)
    assert last.outcome and last.outcome.reason in rules.terminations


@pytest.mark.parametrize("over", ["S:made_up", "S:", "X:no_progress", "S:fortress_filled"])
def test_an_ending_that_the_game_does_not_have_is_refused(over: str) -> None:
    rules = rules_of("lattaque-en")
    with pytest.raises(BadPosition, match="is not part of a position"):
        read_position(rules, f"{write_position(rules, opened(rules, 1))} over={over}")
