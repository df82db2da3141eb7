"""Match page by plain forms: choose a move, draft it, send it, browse earlier plies."""

import html
import re

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.play.commands import endings, moves
from games.play.commands.plans.answering import answer_turn
from games.play.models.draft import Draft
from games.play.models.match import Match, Player
from games.play.models.plan import Wait
from games.play.record import match_store
from games.play.record.sealed import drafts, notebooks
from games.play.refusals import MatchIsOver
from games.rules.core.basics.pieces import Seat
from games.talk import commands as talk
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import as_is
from tests.play.plan_helpers import save


def page(client: Client, match: Match, query: str = "") -> str:
    response = client.get(f"/match/{match.pk}/{query}")
    assert response.status_code == 200
    return response.content.decode()


def buttons(text: str) -> set[str]:
    return set(re.findall(r'<button[^>]* name="move" value="([^"]+)"', text))


def test_choosing_a_piece_shows_its_possible_moves(alice_client: Client, match: Match) -> None:
    assert '?from=a4#board"' in page(alice_client, match)
    assert buttons(page(alice_client, match, "?from=a4")) == {"a4-a5", "a4-a6", "a4xa7"}


@pytest.mark.postgresql_soak
def test_a_prepared_move_survives_a_reload_and_is_labelled_as_not_sent(
    alice_client: Client, match: Match
) -> None:
    alice_client.post(f"/match/{match.pk}/prepare/", {"move": "a4-a5", "ply": match.ply})
    for _visit in range(2):
        assert "Not sent yet" in page(alice_client, match)
    assert as_is(match).ply == match.ply


def test_a_prepared_move_can_be_discarded(alice_client: Client, match: Match) -> None:
    alice_client.post(f"/match/{match.pk}/prepare/", {"move": "a4-a5", "ply": match.ply})
    alice_client.post(f"/match/{match.pk}/put-aside/")
    assert "Not sent yet" not in re.sub(r'data-\w+="[^"]*"', "", page(alice_client, match))


@pytest.mark.postgresql_soak
def test_other_users_do_not_see_a_prepared_move(
    alice_client: Client, bob_client: Client, match: Match, alice: User
) -> None:
    # Not a4-a5, which is the example of the explained notation.
    alice_client.post(f"/match/{match.pk}/prepare/", {"move": "b4-b5", "ply": match.ply})
    assert drafts.read(Player.objects.get(match=match, user=alice)) == "b4-b5"
    for client in (bob_client, Client()):
        assert "b4-b5" not in page(client, match)


@pytest.mark.postgresql_soak
def test_drafts_are_deleted_with_the_end_of_the_match(
    alice_client: Client, bob_client: Client, match: Match, alice: User, bob: User
) -> None:
    alice_client.post(f"/match/{match.pk}/prepare/", {"move": "a4-a5", "ply": match.ply})
    endings.abort(match.pk, bob)
    assert not Draft.objects.exists()


@pytest.mark.postgresql_soak
def test_a_draft_that_arrives_as_the_match_ends_is_not_stored(
    match: Match, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = match_store.load_match(match.pk)
    endings.abort(match.pk, bob)
    # The other request had read the match before this one ended it.
    monkeypatch.setattr(match_store, "load_match", lambda *_, **__: before)
    with pytest.raises(MatchIsOver):
        moves.prepare_move(match.pk, alice, "a4-a5", match.ply)
    assert not Draft.objects.exists()


def test_sending_a_move_redirects_after_it_is_played(alice_client: Client, match: Match) -> None:
    response = alice_client.post(f"/match/{match.pk}/move/", {"move": "a4-a5", "ply": match.ply})
    assert (response.status_code, response.headers["Location"]) == (302, f"/match/{match.pk}/")
    assert as_is(match).ply == match.ply + 1


def test_a_refused_move_is_explained_and_kept(alice_client: Client, match: Match) -> None:
    response = alice_client.post(f"/match/{match.pk}/move/", {"move": "b3-b5", "ply": match.ply})
    text = html.unescape(response.content.decode())
    assert response.status_code == 422
    assert 'role="alert"' in text
    assert 'value="b3-b5"' in text


@pytest.mark.postgresql_soak
def test_an_overtaken_move_is_answered_with_the_current_board(
    alice_client: Client, match: Match
) -> None:
    alice_client.post(f"/match/{match.pk}/move/", {"move": "a4-a5", "ply": match.ply})
    response = alice_client.post(f"/match/{match.pk}/move/", {"move": "b4-b5", "ply": match.ply})
    assert response.status_code == 409
    assert "move 1 (South) of 1" in response.content.decode()


@pytest.mark.postgresql_soak
@pytest.mark.parametrize("ply", ["", "x", "-3", "99999999999999999999"])
def test_an_invalid_ply_is_refused_without_an_error(
    alice_client: Client, match: Match, ply: str
) -> None:
    response = alice_client.post(f"/match/{match.pk}/move/", {"move": "a4-a5", "ply": ply})
    assert response.status_code == 409


def test_a_visitor_is_redirected_to_the_sign_in(match: Match) -> None:
    response = Client().post(f"/match/{match.pk}/move/", {"move": "a4-a5", "ply": match.ply})
    page = response.content.decode()
    assert response.status_code == 403
    assert 'href="/account/login/"' in page and "a4-a5</textarea>" in page
    assert as_is(match).ply == match.ply


def test_the_board_is_turned_to_the_players_side(
    alice_client: Client, bob_client: Client, match: Match
) -> None:
    rows = [
        re.findall(r'<th scope="row">(\d+)</th>', page(reader, match))
        for reader in (alice_client, bob_client)
    ]
    assert rows == [[str(n) for n in range(10, 0, -1)], [str(n) for n in range(1, 11)]]


def test_a_player_sees_earlier_plies_only_from_their_own_viewpoint(
    alice_client: Client, bob_client: Client, match: Match
) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6", "a5-a6")
    text = page(bob_client, match, "?ply=1")
    assert "This is" in text or "earlier position" in text
    assert "South Scout" not in text
    assert alice_client.get(f"/match/{match.pk}/?ply=99").status_code == 404


def test_a_battle_is_described_in_words(bob_client: Client, match: Match) -> None:
    match_helpers.play(match, "a4xa7")
    assert "Scout against Marshal" in page(bob_client, match)


@pytest.mark.postgresql_soak
def test_an_ending_has_to_be_seen_once(
    alice_client: Client, bob_client: Client, match: Match, bob: User
) -> None:
    match_helpers.play(match, "a4-a5")
    alice_client.post(f"/match/{match.pk}/resign/")
    assert "New results" in bob_client.get("/").content.decode()
    page(bob_client, match)
    assert "New results" not in bob_client.get("/").content.decode()


def test_endings_ask_for_confirmation(alice_client: Client, match: Match) -> None:
    match_helpers.play(match, "a4-a5")
    assert "Bob wins." in alice_client.get(f"/match/{match.pk}/resign/").content.decode()
    assert as_is(match).is_live
    alice_client.post(f"/match/{match.pk}/resign/")
    assert as_is(match).result == "N"


@pytest.mark.postgresql_soak
def test_a_link_leads_to_the_next_waiting_match(
    alice_client: Client, match: Match, who: match_helpers.People
) -> None:
    other = match_helpers.running_match(who)
    assert alice_client.get("/next/").headers["Location"] == f"/match/{match.pk}/"
    after = alice_client.get(f"/next/?after={match.pk}").headers["Location"]
    assert after == f"/match/{other.pk}/"


@pytest.mark.postgresql_soak
@pytest.mark.parametrize("after", ["9" * 19, "9" * 5000, "x", "-1", "٣"])
def test_without_a_waiting_match_the_link_leads_home(alice: User, after: str) -> None:
    assert client_of(alice).get("/next/", {"after": after}).headers["Location"] == "/"


@pytest.mark.postgresql_soak
@pytest.mark.parametrize("number", ["9" * 18, "9" * 30, "9" * 5000])
def test_a_number_with_too_many_digits_is_no_ply_and_no_match(
    alice_client: Client, match: Match, client: Client, settings: Settings, number: str
) -> None:
    address = f"/match/{match.pk}/"
    assert alice_client.get(address, {"ply": number}).status_code == 404
    assert alice_client.get(f"/archive/{match.pk}/", {"ply": number}).status_code < 500
    refused = alice_client.post(f"{address}move/", {"move": "a4-a5", "ply": number})
    assert refused.status_code < 500
    assert as_is(match).ply == match.ply
    settings.STAFF_NEEDS_MFA = False
    client.force_login(match_helpers.person("Berthier", is_staff=True, is_superuser=True))
    assert client.get("/admin/play/match/", {"q": number}).status_code == 200
    assert client.get("/archive/", {"page": number, "player": number}).status_code < 500


@pytest.mark.parametrize("page", ["", "moves/", "resign/", "set-up/"])
def test_head_requests_are_answered(alice_client: Client, match: Match, page: str) -> None:
    address = f"/match/{match.pk}/{page}"
    assert alice_client.head(address).status_code == alice_client.get(address).status_code


def test_two_offers_are_an_agreement_and_the_page_says_so(
    alice_client: Client, match: Match, alice: User, bob: User
) -> None:
    endings.offer_draw(match.pk, bob)
    assert (
        "The match ends at once"
        in alice_client.get(f"/match/{match.pk}/offer-draw/").content.decode()
    )
    answer = alice_client.post(f"/match/{match.pk}/offer-draw/", follow=True)
    assert "Draw: the players agreed." in answer.content.decode()
    assert as_is(match).reason == "agreed"


def test_the_move_list_has_a_page_of_bounded_length(alice_client: Client, match: Match) -> None:
    match_helpers.play(match, *(["a4-a5", "a7-a6"] + ["b4-b5", "j7-j6", "b5-b4", "j6-j7"] * 2))
    assert alice_client.get(f"/match/{match.pk}/moves/").content.decode().count("<tr>") == 11


@pytest.mark.postgresql_soak
@pytest.mark.parametrize("plies", [0, 60])
def test_a_match_page_costs_a_fixed_number_of_queries(
    alice_client: Client, match: Match, plies: int, django_assert_num_queries: object
) -> None:
    match_helpers.play(match, *(["b4-b5", "j7-j6", "b5-b4", "j6-j7"] * (plies // 4)))
    alice_client.get(f"/match/{match.pk}/")
    # Session with user, plies, and the match with its players and her notes on it.
    with django_assert_num_queries(3):  # type: ignore[operator]
        assert alice_client.get(f"/match/{match.pk}/").status_code == 200


@pytest.mark.postgresql_soak
@pytest.mark.parametrize("matches", [1, 12])
def test_the_front_page_costs_a_fixed_number_of_queries(
    alice_client: Client,
    who: match_helpers.People,
    matches: int,
    django_assert_max_num_queries: object,
) -> None:
    for _match in range(matches):
        match_helpers.running_match(who)
    alice_client.get("/")
    with django_assert_max_num_queries(9):  # type: ignore[operator]
        assert alice_client.get("/").status_code == 200


@pytest.mark.postgresql_soak
@pytest.mark.parametrize("matches", [1, 5])
def test_talk_notes_and_plans_cost_the_front_page_no_more_queries(
    alice_client: Client,
    who: match_helpers.People,
    matches: int,
    django_assert_max_num_queries: object,
) -> None:
    """All rows have unread talk and notes; of as many each, a plan or the player is to answer."""
    for plans in (True, False):
        for _match in range(matches):
            match = match_helpers.running_match(who, "a4-a5")
            if plans:
                save(match, who.alice, "otherwise b4-b5", wait=Wait.WHILE)
            match_helpers.play(match, "j7-j6")
            talk.say(match.pk, who.bob, "Good luck!")
            notebooks.store_note(Player.objects.get(match=match, user=who.alice).pk, "Be careful.")
            if plans:
                answer_turn(match.pk, who.alice.pk, match.ply)
    alice_client.get("/")
    with django_assert_max_num_queries(9):  # type: ignore[operator]
        shown = alice_client.get("/").content.decode()
    assert shown.count("Your plan answers at about") == matches
    assert shown.count("Be careful.") == shown.count("/small/") == 2 * matches


def test_the_terms_are_on_every_page_of_the_match(
    who: match_helpers.People, alice_client: Client
) -> None:
    match = match_helpers.new_match(who, switches={"limit": 60})
    agreed = "After 60 turns in a row without a battle the game is a draw."
    assert agreed in page(alice_client, match)  # while the armies are being set up
    match_helpers.play(match_helpers.set_up(match), *match_helpers.FIRST_MOVES)
    assert agreed in page(alice_client, match)
    assert "Custom rules" in alice_client.get("/").content.decode()
    match_helpers.resign(match, Seat.NORTH)
    for address in (f"/archive/{match.pk}/", f"/match/{match.pk}/"):
        assert agreed in alice_client.get(address).content.decode()
    assert "Custom rules" in alice_client.get("/archive/").content.decode()


def test_match_pages_are_not_cached(alice_client: Client, match: Match) -> None:
    response = alice_client.get(f"/match/{match.pk}/")
    assert "no-store" in response.headers["Cache-Control"]


@pytest.mark.postgresql_soak
@pytest.mark.parametrize(
    "path", [f"/match/{10**30}/", f"/match/{10**18 - 1}/", "/match/0/", "/match/1/?ply=" + "9" * 30]
)
def test_numbers_out_of_range_are_not_found(alice_client: Client, match: Match, path: str) -> None:
    assert alice_client.get(path.replace("/match/1/", f"/match/{match.pk}/")).status_code == 404
