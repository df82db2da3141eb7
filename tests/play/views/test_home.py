"""Front page of a player: last moves in words, and the number of what waits."""

from datetime import timedelta

import pytest
from django.test import Client

from games.lobby.models import Invitation, InvitationKind
from lib.db_clock import now
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql


def challenged(who: People, **fields: object) -> Invitation:
    """A challenge by Bob to Alice."""
    at = now()
    terms: dict[str, object] = {
        "kind": InvitationKind.CHALLENGE,
        "preset": "lattaque-en",
        "pace": "3d",
        "setup_pace": "5d",
        "created_at": at,
        "expires_at": at + timedelta(days=14),
    }
    made: Invitation = Invitation.objects.create(
        owner=who.bob, guest=who.alice, **{**terms, **fields}
    )
    return made


@pytest.fixture
def her(who: People) -> Client:
    client = Client()
    client.force_login(who.alice)
    return client


def test_a_row_says_what_the_last_move_did(who: People, her: Client) -> None:
    match_helpers.running_match(who, "a4xa7", "j7-j6")
    fought = match_helpers.running_match(who, "a4xa7")
    page = her.get("/").content.decode()
    assert "Bob moved from j7 to j6." in page
    assert "Alice attacked a7 from a4: Scout against Marshal." in page
    match_helpers.play(fought, "j7-j6")
    assert "Alice attacked a7" not in her.get("/").content.decode()


def test_before_the_first_move_a_row_has_none(who: People, her: Client) -> None:
    match_helpers.set_up(match_helpers.new_match(who))
    match_helpers.new_match(who)
    assert "finished the set-up" not in her.get("/").content.decode()


def test_the_number_counts_challenges_too_on_every_page(who: People, her: Client) -> None:
    match = match_helpers.running_match(who)
    challenged(who)
    challenged(who)
    challenged(who, expires_at=now() - timedelta(hours=1))
    match_helpers.running_match(who, "a4-a5")
    for address in ("/", "/lobby/", f"/match/{match.pk}/"):
        assert '<span class="count">3<span' in her.get(address).content.decode(), address
    assert "2 challenges are waiting for your answer." in her.get("/").content.decode()
    client = Client()
    client.force_login(who.bob)
    assert '<span class="count">1<span' in client.get("/").content.decode()
