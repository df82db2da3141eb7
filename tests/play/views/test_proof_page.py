"""The proof page of a match says what is proved and what is not, to anyone who may see it."""

import re

import pytest
from django.test import Client

from accounts.models import User
from games.play.models.match import Match
from games.play.models.ply import Ply
from games.play.record.match_view import view_match
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People

pytestmark = pytest.mark.django_db

NOT_PROVED = (
    "That nobody looked.",
    "That a move was made by its player.",
    "That the clocks were right.",
)


def page_of(match: Match, client: Client) -> str:
    response = client.get(f"/match/{match.pk}/proof/")
    assert response.status_code == 200
    assert "no-store" in response["Cache-Control"]
    return " ".join(response.content.decode().split())


def test_visitors_see_the_full_fingerprint_and_what_is_not_proved(
    match: Match, client: Client
) -> None:
    html = page_of(match, client)
    assert view_match(match.pk, None).head.hex() in html
    assert f'href="/match/{match.pk}/proof/bundle/"' in html
    assert 'href="/proofs/verify.py"' in html
    assert f"/match/{match.pk}/proof/receipt/" not in html
    assert [words for words in NOT_PROVED if words not in html] == []
    assert "<script>" not in html
    assert " style=" not in html


def test_a_player_sees_the_own_seal_and_the_advice_to_ask_the_opponent(
    match: Match, alice: User
) -> None:
    html = page_of(match, client_of(alice))
    assert html.count("Your army was sealed on") == 1
    assert html.count("The army of Bob was sealed on") == 1
    assert f'href="/match/{match.pk}/proof/receipt/"' in html
    assert "Ask Bob for theirs" in html
    assert "There was no battle yet." in html


def test_battles_are_counted(who: People) -> None:
    match = match_helpers.running_match(who, "e4xe7")
    assert "There was one battle so far." in page_of(match, client_of(who.alice))
    match_helpers.play(match, "d7xe7")
    assert "There were 2 battles so far." in page_of(match, client_of(who.alice))


def test_before_the_set_ups_nothing_is_sealed(who: People) -> None:
    match = match_helpers.new_match(who)
    html = page_of(match, client_of(who.alice))
    assert "No army has been sealed yet." in html
    assert f"/match/{match.pk}/proof/receipt/" not in html


def test_a_match_from_before_proofs_says_so(match: Match, client: Client) -> None:
    Match.objects.filter(pk=match.pk).update(chain=1)
    html = page_of(match, client)
    assert "This match began before this service had proofs" in html
    assert "bundle" not in html
    assert client.get("/match/999999/proof/").status_code == 404


def test_the_match_page_shows_eight_digits_with_a_link(match: Match, client: Client) -> None:
    html = " ".join(client.get(f"/match/{match.pk}/").content.decode().split())
    digits = view_match(match.pk, None).head.hex()[:8]
    assert re.search(rf'<a href="/match/{match.pk}/proof/">Proof {digits}</a>', html)


@pytest.mark.parametrize("fault", ["a broken seal", "a missing ply", "a key that is gone"])
def test_it_says_that_the_newest_position_is_unreadable_and_offers_the_files(
    match: Match, alice: User, fault: str
) -> None:
    newest = Ply.objects.filter(match=match, number=match.ply)
    reader = client_of(alice)
    if fault == "a broken seal":
        newest.update(sealed=b"x" * 60)
    elif fault == "a missing ply":
        newest.delete()
    else:
        newest.update(sealed=bytes(8) + bytes(newest.get().sealed)[8:])
    html = page_of(match, reader)
    assert "The newest position of this match cannot be read" in html
    assert "What is fixed" not in html
    for path in (f"/match/{match.pk}/proof/bundle/", "/proofs/verify.py"):
        assert f'href="{path}"' in html
        assert reader.get(path).status_code == 200
