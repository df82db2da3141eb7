"""Legend of a match: the meaning of the letters, results of battles, and moves in words."""

import re
from html import unescape

import pytest
from django.test import Client

from games.play.models.match import Match
from games.play.words.legend import legend
from games.presentation import rule_queries
from games.rules import registry
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People

LINE = re.compile(r'data-letter="(.*?)"><dt>.*?</dt>(?:<dd>(.*?)</dd>)?')


def lines(preset: str, **switches: object) -> dict[str, str]:
    pairs = LINE.findall(legend(registry.ruleset(preset, switches)))  # type: ignore[arg-type]
    return {unescape(letter): unescape(words) for letter, words in pairs}


@pytest.mark.parametrize("preset", ["lattaque-en", "lattaque-gibson", "tactique"])
def test_the_legend_agrees_with_the_rules_on_every_attack(preset: str) -> None:
    rules, legend_lines = registry.ruleset(preset), lines(preset)
    names = rule_queries.ranks(rules)
    assert list(legend_lines) == names
    for one in names:
        results = {other: rule_queries.battle(rules, one, other) for other in names}
        taken = {other for other, fought in results.items() if fought and fought.result == "+"}
        words = re.search(r"(?:^|; )takes ([^;]+)", legend_lines[one])
        assert set(words[1].split() if words else ()) == taken, one


def test_the_legend_mentions_the_spy_and_the_bomb() -> None:
    legend_lines = lines("lattaque-en")
    assert "takes M" in legend_lines["Y"]
    assert legend_lines["B"] == "never attacks"
    assert "wins the match by taking F" in legend_lines["R"]


def test_tiles_are_named_by_their_numbers() -> None:
    text = legend(registry.ruleset("domino"))
    assert "<dt>attack 4" in text and "takes 0 1 2 3; " in text


def test_a_game_without_hidden_pieces_lists_only_its_pieces() -> None:
    text = legend(registry.ruleset("assaut"))
    assert "Officer" in text and "<dd>" not in text


def test_the_page_of_a_match_has_the_legend_one_tap_away(who: People) -> None:
    match = match_helpers.running_match(who)
    seen = client_of(who.alice).get(f"/match/{match.pk}/").content.decode()
    assert '<details class="card legend">' in seen


def test_moves_are_shown_in_notation_and_described_in_words(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    seen = client_of(who.alice).get(f"/match/{match.pk}/").content.decode()
    assert '?ply=1" aria-label="Alice moved from a4 to a5.">a4-a5</a>' in seen


def test_the_chosen_piece_is_labelled_as_chosen(who: People, match: Match) -> None:
    her: Client = client_of(who.alice)
    seen = her.get(f"/match/{match.pk}/?from=a4").content.decode()
    chosen = re.findall(r'<td data-square="(\w+)"[^>]*><\w+[^>]* aria-current="true"', seen)
    assert chosen == ["a4"]
