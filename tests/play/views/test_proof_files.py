"""Bundles can be downloaded by anyone, receipts by their owner."""

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from games.play.models.match import Match
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People

pytestmark = pytest.mark.django_db


def test_anyone_can_download_the_bundle(match: Match, client: Client) -> None:
    response = client.get(f"/match/{match.pk}/proof/bundle/")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("text/plain")
    assert response["Content-Disposition"] == f'attachment; filename="match-{match.pk}.proof"'
    assert "no-store" in response["Cache-Control"]
    lines = response.content.decode().splitlines()
    assert lines[0] == f"estafette/proof/1 {match.pk}"
    assert lines[-1] == "end"


def test_a_match_from_before_proofs_has_no_bundle(match: Match, client: Client) -> None:
    Match.objects.filter(pk=match.pk).update(chain=1)
    assert client.get(f"/match/{match.pk}/proof/bundle/").status_code == 404
    assert client.get("/match/999999/proof/bundle/").status_code == 404


def test_a_client_address_gets_thirty_bundles_a_minute(match: Match, client: Client) -> None:
    cache.clear()
    path = f"/match/{match.pk}/proof/bundle/"
    for _ in range(30):
        assert client.get(path).status_code == 200
    response = client.get(path)
    assert response.status_code == 429
    assert response["Retry-After"] == "60"
    cache.clear()


def test_players_can_download_only_their_own_receipt(match: Match, alice: User, bob: User) -> None:
    path = f"/match/{match.pk}/proof/receipt/"
    seals = {}
    for player, letter in ((alice, "S"), (bob, "N")):
        response = client_of(player).get(path)
        assert response["Content-Disposition"] == f'attachment; filename="receipt-{match.pk}.txt"'
        assert "no-store" in response["Cache-Control"]
        seals[letter] = response.content.decode().splitlines()[3]
        assert seals[letter].startswith(f"seal {letter} ")
    assert seals["S"].split()[2] != seals["N"].split()[2]


def test_other_users_get_no_receipt(match: Match, charlie: User, client: Client) -> None:
    path = f"/match/{match.pk}/proof/receipt/"
    assert client_of(charlie).get(path).status_code == 404
    assert client.get(path).status_code == 404


def test_there_is_no_receipt_before_the_set_up(who: People) -> None:
    match = match_helpers.new_match(who)
    assert client_of(who.alice).get(f"/match/{match.pk}/proof/receipt/").status_code == 404
