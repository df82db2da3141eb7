"""Domino Stratego in the service: tiles dealt, turned, placed and played (D1 to D10)."""

import re

import pytest

from accounts.models import User
from games.play.models.match import Match
from games.play.models.setup import SavedSetup
from games.play.record import match_view
from games.play.setups import arrangement
from games.rules.core.basics.pieces import Seat
from tests.play import forms, match_helpers
from tests.play.forms import alert, client_of, draft_of, page
from tests.play.match_helpers import People


@pytest.fixture
def new_domino_match(who: People) -> Match:
    return match_helpers.new_match(who, "domino")


def dealt(match: Match, user: User) -> tuple[str, ...]:
    view = match_view.view_match(match.pk, user)
    return view.observation.hand[view.seat] or ()


def tiles_out_of_play(match: Match, user: User) -> set[str]:
    view = match_view.view_match(match.pk, user)
    return set(view.observation.aside[view.seat] or ())


def an_army(match: Match, user: User, seat: Seat = Seat.SOUTH) -> dict[str, str]:
    """All dealt tiles, one on each square."""
    return dict(zip(match.rules.zone(seat), dealt(match, user), strict=True))


def test_every_tile_that_is_no_double_may_be_placed_two_ways(
    new_domino_match: Match, alice: User
) -> None:
    offered = forms.cell(page(client_of(alice), new_domino_match, "?by=lists"), "a1")
    values = re.findall(r'<option value="(\d\d)"', offered)
    hand = dealt(new_domino_match, alice)
    doubles = [tile for tile in hand if tile[0] == tile[1]]
    assert len(values) == 2 * (24 - len(doubles)) + len(doubles)
    assert {"".join(sorted(value)) for value in values} == set(hand)
    assert "06 attack 0, defence 6" not in offered or "60 attack 6, defence 0" in offered


def test_the_tiles_out_of_play_are_shown_to_their_owner_alone(
    new_domino_match: Match, alice: User, bob: User
) -> None:
    tiles = tiles_out_of_play(new_domino_match, alice)
    assert len(tiles) == 4 and not tiles & set(dealt(new_domino_match, alice))
    undealt = page(client_of(alice), new_domino_match).partition(
        "These tiles of yours were not dealt."
    )[2]
    shown = re.findall(r"<li>.*?attack (.), defence (.).*?</li>", undealt)
    assert {"".join(halves) for halves in shown} == tiles
    match_helpers.set_up(new_domino_match)
    assert page(client_of(alice), new_domino_match).count("Not dealt in this match:") == 1
    assert tiles_out_of_play(new_domino_match, bob) != tiles or dealt(
        new_domino_match, bob
    ) == dealt(new_domino_match, alice)
    assert "Not dealt" not in page(client_of(match_helpers.person("Dora")), new_domino_match)


def test_a_turned_tile_counts_as_the_dealt_one(new_domino_match: Match, alice: User) -> None:
    hand = dealt(new_domino_match, alice)
    tile = next(tile for tile in hand if tile[0] != tile[1])
    left = arrangement.in_hand(hand, {"a1": tile[::-1]})
    assert left[tile] == 0 and sum(left.values()) == 23


def test_an_army_of_turned_tiles_is_sent_as_it_was_placed(
    new_domino_match: Match, alice: User
) -> None:
    her = client_of(alice)
    placed = {square: tile[::-1] for square, tile in an_army(new_domino_match, alice).items()}
    assert (
        "Send this set-up?"
        in forms.set_up(her, new_domino_match, "check", **placed).content.decode()
    )
    forms.set_up(her, new_domino_match, "send", **placed)
    pieces = match_view.view_match(new_domino_match.pk, alice).observation.pieces
    assert {square: piece.rank for square, piece in pieces.items()} == placed


def test_a_random_army_is_made_of_the_players_own_deal(
    new_domino_match: Match, alice: User
) -> None:
    forms.set_up(client_of(alice), new_domino_match, "random")
    placed = draft_of(new_domino_match, alice)
    assert sorted("".join(sorted(tile)) for tile in placed.values()) == sorted(
        dealt(new_domino_match, alice)
    )


def test_wrong_tiles_are_refused_with_a_sentence(new_domino_match: Match, alice: User) -> None:
    her = client_of(alice)
    placed = an_army(new_domino_match, alice)
    stranger = min(tiles_out_of_play(new_domino_match, alice))
    missing = placed["a1"]
    complaint = alert(forms.set_up(her, new_domino_match, "check", **{**placed, "a1": stranger}))
    assert f"The tile {stranger[0]}-{stranger[1]} was not dealt to you." in complaint
    assert f"Left to place: {missing[0]}-{missing[1]}." in complaint
    twice = alert(forms.set_up(her, new_domino_match, "check", **{**placed, "a1": placed["b1"]}))
    assert "is on the board more than once." in twice


def test_an_unfinished_army_is_written_and_read_with_dashes(
    new_domino_match: Match, alice: User
) -> None:
    her = client_of(alice)
    tile = next(tile for tile in dealt(new_domino_match, alice) if tile[0] != tile[1])
    text = "/".join(["--" * 8, "--" * 7 + tile[::-1], "--" * 8])
    forms.set_up(her, new_domino_match, "read", text=text)
    assert draft_of(new_domino_match, alice) == {"h2": tile[::-1]}
    assert f">{text}</textarea>" in page(her, new_domino_match)
    complaint = alert(forms.set_up(her, new_domino_match, "check", h2=tile))
    assert complaint.startswith("Left to place:")


def test_the_library_stores_no_tiles(new_domino_match: Match, alice: User) -> None:
    her = client_of(alice)
    assert "Library" not in page(her, new_domino_match)
    complaint = alert(
        forms.set_up(her, new_domino_match, "save", name="Mine", **an_army(new_domino_match, alice))
    )
    assert complaint == "Set-ups of this game cannot be saved in the library."
    assert not SavedSetup.objects.exists()
    assert her.get("/set-ups/new/domino/").headers["Location"] == "/set-ups/"


def test_a_tile_is_moved_by_its_links_and_buttons(who: People, alice: User) -> None:
    match = match_helpers.running_match(who, preset="domino")
    her = client_of(alice)
    assert forms.links(page(her, match))["d3"] == "?from=d3"
    assert forms.buttons(page(her, match, "?from=d3")) == {"d4": "d3-d4"}
    assert forms.send(her, match, "d3-d4", prepare=True).status_code == 302
    text = page(her, match)
    assert forms.states(text, "d4") == {"draft-to"} and "drafted" in forms.cell(text, "d4")
    assert forms.move_field(text) == "d3-d4"
    assert forms.send(her, match, "d3-d4").status_code == 302
    refused = forms.send(client_of(who.bob), match, "d8-d6")
    assert refused.status_code == 422
    assert alert(refused).startswith("A tile moves one square")


def test_both_tiles_of_a_battle_are_shown_once(who: People, alice: User, bob: User) -> None:
    match = match_helpers.running_match(who, preset="domino")
    match_helpers.play(
        match, "d3-d4", "e8-e7", "d4-d5", "e7-e6", "d5-d6", "e6-e5", "d6-d7", "e5-e4"
    )
    match_helpers.play(match, "d7xd8")
    entry = match_view.view_match(match.pk, None).entry
    attacker, defender = re.findall(r"\d\d", entry.text.partition("[")[2])[:2]
    for reader in (alice, bob):
        panel = re.search(r'battle-panel">(.*?)</section>', page(client_of(reader), match), re.S)
        assert panel
        assert f"attack {attacker[0]}, defence {attacker[1]}" in panel.group()
        assert f"attack {defender[0]}, defence {defender[1]}" in panel.group()
