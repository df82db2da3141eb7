"""Tactique in the service: moves, attacks, two-step charges, volleys (T4 to T11)."""

import pytest
from django.test import Client

from accounts.models import User
from games.play.board.text_board import text as board_text
from games.play.models.match import Match, Player
from games.play.record import match_view
from games.play.record.sealed import drafts
from tests.play import forms, match_helpers
from tests.play.forms import alert, client_of, page, send
from tests.play.match_helpers import People


@pytest.fixture
def match(who: People) -> Match:
    """North's archers face row 5; a charge from b3 over b5 may capture in three directions."""
    return match_helpers.running_match(who, preset="tactique")


def test_a_square_that_also_begins_charges_leads_to_the_next_step(
    alice_client: Client, match: Match
) -> None:
    text = page(alice_client, match, "?from=b3")
    assert forms.buttons(text) == {"b4": "b3-b4"}
    assert forms.links(text)["b5"] == "?from=b3&via=b5"
    assert forms.states(text, "b5") == {"target"}


def test_then_the_move_can_stop_or_charge(alice_client: Client, match: Match) -> None:
    text = page(alice_client, match, "?from=b3&via=b5")
    assert forms.buttons(text) == {
        "b5": "b3-b5",
        "a5": "b3-b5xa5",
        "b6": "b3-b5xb6",
        "c5": "b3-b5xc5",
    }
    assert "stop here: South Infantry, not sent yet" in forms.cell(text, "b5")
    assert "attack c5: North, demoted, hidden" in forms.cell(text, "c5")
    assert forms.move_field(text) == "b3-b5"
    assert "Not sent yet: b3-b5 · Send it as it is, or choose how it continues." in text


def test_an_adjacent_attack_is_one_step(alice_client: Client, match: Match) -> None:
    assert forms.buttons(page(alice_client, match, "?from=c4"))["c5"] == "c4xc5"


def test_a_prepared_charge_is_drawn_at_its_target(
    alice_client: Client, match: Match, alice: User
) -> None:
    assert send(alice_client, match, "b3-b5xc5", prepare=True).status_code == 302
    assert drafts.read(Player.objects.get(match=match, user=alice)) == "b3-b5xc5"
    text = page(alice_client, match)
    assert "draft-from" in forms.states(text, "b3")
    assert "drafted" in forms.cell(text, "b5")
    assert "draft-to" in forms.states(text, "c5")


@pytest.mark.parametrize("query", ["?from=b3&via=h8", "?from=h8", "?via=b5"])
def test_squares_without_a_move_have_no_link(
    alice_client: Client, match: Match, query: str
) -> None:
    text = page(alice_client, match, query)
    assert ("chosen" in forms.states(text, "b3")) == query.startswith("?from=b3")


def test_a_sent_charge_is_described_step_by_step(
    alice_client: Client, match: Match, bob: User
) -> None:
    assert send(alice_client, match, "b3-b5xc5").status_code == 302
    text = page(client_of(bob), match)
    assert "Alice charged from b3 to b5." in text
    assert "Alice attacked c5 from b5: Infantry against" in text
    assert "last-from" in forms.states(text, "b3") and "battle" in forms.states(text, "c5")


def test_hits_of_archers_are_marked_and_described_from_the_first_turn(
    alice_client: Client, match: Match, who: People
) -> None:
    for text in (
        page(alice_client, match),
        page(client_of(who.charlie), match),
        page(Client(), match),
    ):
        assert "hit" in forms.states(text, "d6") and "hit" in forms.states(text, "c5")
        assert "Archers demoted the piece on d6." in text
        assert "North, demoted, hidden" in forms.cell(text, "d6")


def test_a_demoted_piece_is_marked_in_text_too(match: Match, alice: User) -> None:
    lines = board_text(match_view.view_match(match.pk, alice)).splitlines()
    sixth = next(line for line in lines if line.startswith(" 6"))
    assert sixth.split()[1:-1] == ["n?", "n?", "n?", "n?'", "n?", "n?", "n?", "n?"]


def test_an_archer_can_move_and_the_page_says_that_it_cannot_attack(
    alice_client: Client, match: Match
) -> None:
    offered = forms.buttons(page(alice_client, match, "?from=d4"))
    assert offered and not [move for move in offered.values() if "x" in move]
    refused = send(alice_client, match, "d4xd5")
    assert refused.status_code == 422
    assert alert(refused).startswith("The Archer on d4 cannot attack")


def test_the_links_of_a_refusal_lead_back_to_the_board(alice_client: Client, match: Match) -> None:
    refused = send(alice_client, match, "b3-b1").content.decode()
    assert f'href="/match/{match.pk}/?from=b3#board"' in refused
    followed = alice_client.get(f"/match/{match.pk}/move/?ply=0")
    assert followed.headers["Location"] == f"/match/{match.pk}/?ply=0"


def test_a_piece_that_changes_sides_is_described(who: People, bob: User) -> None:
    match = match_helpers.running_match(who, "c4xc5", preset="tactique-convert")
    text = page(client_of(bob), match)
    done = match_view.view_match(match.pk, None).entry.text
    assert ("It changed sides." in text) == done.partition(" ")[0].endswith("d")
