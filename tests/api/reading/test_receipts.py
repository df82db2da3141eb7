"""Receipts over the API: those of the page, of one's own seat alone."""

import pytest

from games.play.models.match import Match
from games.rules.core.basics.pieces import Seat
from tests.api.client import Program, code, json_of
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People

pytestmark = pytest.mark.django_db


def test_a_player_gets_the_receipt_of_the_page(who: People) -> None:
    match = match_helpers.running_match(who)
    for user, letter in ((who.alice, "S"), (who.bob, "N")):
        answer = Program(user, "read").get(f"/matches/{match.pk}/receipt")
        page = client_of(user).get(f"/match/{match.pk}/proof/receipt/")
        assert answer.content == page.content
        assert answer["Content-Type"] == page["Content-Type"]
        assert f"\nseal {letter} " in answer.content.decode()


def test_nobody_else_gets_one_and_none_before_the_set_up(who: People) -> None:
    match = match_helpers.send_setup(match_helpers.new_match(who), Seat.SOUTH)
    path = f"/matches/{match.pk}/receipt"
    assert Program(who.alice, "read").get(path).status_code == 200
    assert code(Program().get(path)) == (401, "unauthorized")
    for user in (who.bob, who.charlie, match_helpers.person("Berthier", is_superuser=True)):
        program = Program(user, "read")
        for address in (path, "/matches/999/receipt"):
            assert code(program.get(address)) == (404, "not-found")


def test_the_words_for_the_deal_are_in_it(who: People) -> None:
    alice, bob = (Program(user, "play", "challenge") for user in (who.alice, who.bob))
    body = {"preset": "domino", "set": False, "guest": "Bob", "seat": "S", "words": "fair wind"}
    offered = alice.send("POST", "/invitations", body)
    number = json_of(offered)["invitation"]
    accepted = bob.send("POST", f"/invitations/{number}/accept", {"words": "all is well"})
    match = Match.objects.get(pk=json_of(accepted)["match"])
    match_helpers.set_up(match)
    path = f"/matches/{match.pk}/receipt"
    assert "\nwords fair wind\n" in alice.get(path).content.decode()
    assert "\nwords all is well\n" in bob.get(path).content.decode()
