"""Assaut in the service: officers placed openly, jumps, huffing (A4 to A15)."""

import json
import re
from dataclasses import replace
from itertools import pairwise

import pytest
from django.test import Client

from accounts.models import User
from games.play.board.choices import choices
from games.play.board.move_tree import Tree
from games.play.models.match import Match
from games.play.record import match_view
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import observe
from games.rules.core.text import notation
from tests.play import forms, match_helpers
from tests.play.forms import alert, draft_of, page, send
from tests.play.match_helpers import People, as_is

# After the first, an officer on d6 may take one, two or three soldiers; after the second both
# officers have missed a capture; after the third the last officer has.
CHAIN = ("f4-e5", "e7-d6", "d4-d5")
MISSED = ("f5-e5", "e7-e6", "e5-d6", "e6-e5")
LAST = ("d4-e5", "c7-d6", "e5-e6", "e7-d7", "*d7,b4-c5", "d6-d5")


@pytest.fixture
def new_assaut_match(who: People) -> Match:
    return match_helpers.new_match(who, "assaut")


def match_after(who: People, *moves: str, preset: str = "assaut") -> Match:
    return match_helpers.running_match(who, *moves, preset=preset)


# --- placing the officers


def test_the_officers_are_placed_on_the_current_board(
    alice_client: Client, bob_client: Client, new_assaut_match: Match
) -> None:
    text = page(bob_client, new_assaut_match)
    assert text.count('<button name="tap"') == 9 + 1
    assert "Everyone sees where your pieces stand" in text
    assert "Soldier" in forms.cell(text, "c4")
    assert 'name="tap"' not in page(alice_client, new_assaut_match)


def test_two_points_are_chosen_checked_and_sent(
    bob_client: Client, new_assaut_match: Match, bob: User, alice_client: Client
) -> None:
    forms.set_up(bob_client, new_assaut_match, "keep", c7="O")
    assert draft_of(new_assaut_match, bob) == {"c7": "O"}
    assert ">c7</textarea>" in page(bob_client, new_assaut_match)
    assert alert(forms.set_up(bob_client, new_assaut_match, "check", c7="O")).startswith(
        "Two officers take two"
    )
    shown = forms.set_up(bob_client, new_assaut_match, "check", c7="O", e6="O").content.decode()
    assert "Send this set-up?" in shown and "Officer" in forms.cell(shown, "e6")
    forms.set_up(bob_client, new_assaut_match, "send", c7="O", e6="O")
    assert "Officer" in forms.cell(page(alice_client, new_assaut_match), "e6")


@pytest.mark.parametrize("text", ["e6,c7", "C7 e6", "c7, e6"])
def test_officers_are_placed_from_a_text(
    bob_client: Client, new_assaut_match: Match, bob: User, text: str
) -> None:
    forms.set_up(bob_client, new_assaut_match, "read", text=text)
    assert draft_of(new_assaut_match, bob) == {"c7": "O", "e6": "O"}
    assert ">c7,e6</textarea>" in page(bob_client, new_assaut_match)
    refused = forms.set_up(bob_client, new_assaut_match, "read", text="a5,e6")
    assert "“a5” is not a point of the fortress." in alert(refused)


def test_officers_placed_at_random_are_two_in_the_fortress(
    bob_client: Client, new_assaut_match: Match, bob: User
) -> None:
    forms.set_up(bob_client, new_assaut_match, "random")
    placed = draft_of(new_assaut_match, bob)
    assert list(placed.values()) == ["O", "O"]
    assert set(placed) <= set(
        new_assaut_match.rules.zone(new_assaut_match.rules.seats_setting_up[0])
    )


def test_nothing_but_officers_can_be_placed(
    bob_client: Client, new_assaut_match: Match, bob: User
) -> None:
    forms.set_up(bob_client, new_assaut_match, "keep", c7="S", e6="X", c3="O")
    assert draft_of(new_assaut_match, bob) == {}


# --- moves and chains


def test_soldiers_and_officers_step_by_links_and_buttons(
    alice_client: Client, bob_client: Client, who: People
) -> None:
    match = match_after(who)
    assert forms.buttons(page(alice_client, match, "?from=d4")) == {
        "c5": "d4-c5",
        "d5": "d4-d5",
        "e5": "d4-e5",
    }
    send(alice_client, match, "d4-e5")
    assert "d6" in forms.buttons(page(bob_client, match, "?from=c7"))


def test_a_chain_is_entered_jump_by_jump(bob_client: Client, who: People) -> None:
    match = match_after(who, *CHAIN)
    text = page(bob_client, match, "?from=d6")
    assert forms.links(text)["d4"] == "?from=d6&via=d4"
    assert forms.buttons(text)["d7"] == "d6-d7"
    text = page(bob_client, match, "?from=d6&via=d4")
    assert forms.buttons(text)["d4"] == "d6xd4"
    assert "stop here: Officer, not sent yet" in forms.cell(text, "d4")
    assert forms.move_field(text) == "d6xd4"
    assert "taken" in forms.states(text, "d5")
    (onward,) = (link for link in forms.links(text).values() if link.count("via=") == 2)
    text = page(bob_client, match, onward)
    assert forms.move_field(text).startswith("d6xd4x")


def test_the_script_gets_the_points_that_are_jumped_over(
    bob_client: Client, alice_client: Client, who: People
) -> None:
    match = match_after(who, *CHAIN)
    text = page(bob_client, match)
    jumps = json.loads(re.search(r'id="jumps"[^>]*>(.*?)</script>', text)[1])
    moves = json.loads(re.search(r'id="moves"[^>]*>(.*?)</script>', text)[1])
    ends = {pair for move in moves if "x" in move for pair in pairwise(move.split("x"))}
    assert jumps["d6d4"] == "d5"
    assert jumps == {
        one + other: match.rules.jumps.jumped_over((one, other))[0] for one, other in ends
    }
    assert 'id="jumps"' not in page(alice_client, match)


def test_a_chain_is_sent_as_a_whole_and_described(
    bob_client: Client, alice_client: Client, who: People
) -> None:
    match = match_after(who, *CHAIN)
    chain = max(Tree(match_view.view_match(match.pk, who.bob)).moves, key=len)
    assert send(bob_client, match, chain, prepare=True).status_code == 302
    text = page(bob_client, match)
    assert forms.move_field(text) == chain
    assert f'Not sent yet: <strong class="notation">{chain}</strong>' in text
    assert send(bob_client, match, chain).status_code == 302
    text = page(alice_client, match)
    count = chain.count("x")
    assert f"Bob captured {count} soldiers, jumping along" in text
    assert f"Captured soldiers: {count} of the 16 that decide the game." in text


def test_the_tree_offers_exactly_the_legal_moves(who: People) -> None:
    for preset in ("assaut", "assaut-compulsory"):
        view = match_view.view_match(match_after(who, *CHAIN, preset=preset).pk, who.bob)
        tree = Tree(view)
        offered: set[str] = set()
        open_ends: list[tuple[str, ...]] = [()]
        while open_ends:
            begun = open_ends.pop()
            for square, branch in tree.branches(begun).items():
                offered |= {branch.move} - {""}
                open_ends += [(*begun, square)] if branch.further else []
        assert offered == set(tree.moves) and offered


def test_a_capture_that_must_continue_cannot_be_stopped(bob_client: Client, who: People) -> None:
    match = match_after(who, *CHAIN, preset="assaut-compulsory")
    text = page(bob_client, match, "?from=d6&via=d4")
    assert "The capture must continue from d4." in text
    assert "d4" not in forms.buttons(text) and forms.move_field(text) == ""
    refused = send(bob_client, match, "d6xd4")
    assert alert(refused).startswith("The officer can continue capturing from d4")


def test_chains_too_many_to_list_can_still_be_entered(who: People) -> None:
    view = match_view.view_match(match_after(who, *CHAIN).pk, who.bob)
    crowded = "~~1S1~~/~~SSS~~/1S1S1S1/SSSSSSS/1SoS1S1/~~SSS~~/~~1S1~~ O 0 9 3 -"
    position = notation.read_position(view.rules, crowded)
    view = replace(view, observation=observe(view.rules, position, Viewpoint.NORTH))
    shown = choices(view, chosen=["c3", "e5"])
    assert view.observation.moves == () == shown.moves
    assert shown.made == "c3xe5"
    targets = {square for square, states in shown.marks.items() if "target" in states}
    assert targets == {"c5", "c7", "e3", "e7", "g3", "g5"}
    assert all("via=e5&via=" in shown.links[square].address for square in targets)


# --- huffs


def test_a_huff_is_a_separate_choice(alice_client: Client, who: People) -> None:
    match = match_after(who, *MISSED)
    text = page(alice_client, match)
    assert "offender" in forms.states(text, "c7") and "offender" in forms.states(text, "e5")
    assert forms.links(text)["e5"] == "?huff=e5"
    assert "Huff the officer on e5, then move" in text
    text = page(alice_client, match, "?huff=e5")
    assert "You huff the officer on e5. Choose the soldier that moves." in text
    assert forms.links(text)["d4"] == "?huff=e5&from=d4"
    text = page(alice_client, match, "?huff=e5&from=d4")
    assert forms.buttons(text)["e5"] == "*e5,d4-e5"  # the point that becomes free
    assert "taken" in forms.states(text, "e5")


def test_a_huff_and_the_move_after_it_are_chosen_and_sent(
    alice_client: Client, bob_client: Client, who: People
) -> None:
    match = match_after(who, *MISSED)
    send(alice_client, match, "*e5, d4 e5", prepare=True)
    text = page(alice_client, match)
    assert forms.move_field(text) == "*e5,d4-e5"
    assert "taken" in forms.states(text, "e5") and "drafted" in forms.cell(text, "e5")
    assert send(alice_client, match, "*e5,d4-e5").status_code == 302
    text = page(bob_client, match)
    assert "Alice huffed the officer on e5." in text
    assert "Alice moved from d4 to e5." in text
    assert "hit" in forms.states(text, "e5")


def test_the_right_to_huff_lapses_with_the_next_move(alice_client: Client, who: People) -> None:
    match = match_after(who, *MISSED)
    assert "may huff (remove) it now" in page(alice_client, match)
    match_helpers.play(match, "g5-f5", "e5xg5")
    text = page(alice_client, match)
    assert "may huff (remove) it now" not in text and "?huff=" not in text
    refused = send(alice_client, match, "*c7,d3-d4")
    assert alert(refused).startswith("There is no officer on c7 that missed a capture")


def test_the_last_officer_is_huffed_by_one_button(alice_client: Client, who: People) -> None:
    match = match_after(who, *LAST)
    text = page(alice_client, match)
    assert forms.buttons(text)["d5"] == "*d5"
    assert "huff: Officer" in forms.cell(text, "d5")
    send(alice_client, match, "*d5", prepare=True)
    assert "taken" in forms.states(page(alice_client, match), "d5")
    send(alice_client, match, "*d5")
    assert as_is(match).reason == "officers blown"


def test_both_counts_are_shown(bob_client: Client, who: People) -> None:
    text = page(bob_client, match_after(who, *CHAIN))
    assert "Captured soldiers: 0 of the 16 that decide the game." in text
    assert "Points of the fortress held by soldiers: 2 of 9." in text
