"""The page of challenges and blocks, and the button on a profile."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from games.bots import levels
from games.house import house_accounts
from games.people.blocking import blocks
from games.people.models import Block
from tests.play.match_helpers import People

pytestmark = pytest.mark.django_db
PAGE = "/people/blocked/"


@pytest.fixture
def client(who: People) -> Client:
    client = Client()
    client.force_login(who.alice)
    return client


def test_a_player_is_blocked_from_their_profile(client: Client, who: People) -> None:
    profile = client.get("/people/profile/Bob/").content.decode()
    assert 'action="/people/profile/Bob/block/"' in profile
    response = client.post("/people/profile/bob/block/", follow=True)
    assert response.redirect_chain == [(PAGE, 302)]
    page = response.content.decode()
    assert "You have blocked Bob. They are not notified." in page
    assert 'action="/people/profile/Bob/unblock/"' in page
    profile = client.get("/people/profile/Bob/").content.decode()
    assert 'action="/people/profile/Bob/unblock/"' in profile
    response = client.post("/people/profile/Bob/unblock/", follow=True)
    assert "You have unblocked Bob." in response.content.decode()
    assert not Block.objects.exists()


def test_the_profile_of_the_blocker_is_unchanged(who: People) -> None:
    client = Client()
    client.force_login(who.bob)
    before = client.get("/people/profile/Alice/").content
    blocks.block(who.alice, who.bob)
    after = client.get("/people/profile/Alice/").content
    assert len(before) == len(after)
    assert b"/people/profile/Alice/block/" in after
    assert b"/lobby/challenge/Alice/" in after


def test_links_and_visitors_cannot_block(client: Client, who: People) -> None:
    for path in ("block", "unblock"):
        response = client.get(f"/people/profile/Bob/{path}/")
        assert response["Location"] == "/people/profile/Bob/"
        response = Client().post(f"/people/profile/Bob/{path}/")
        assert response["Location"] == "/account/login/?next=/people/profile/Bob/"
    assert not Block.objects.exists()
    assert client.post("/people/profile/Nobody/block/").status_code == 404
    User.objects.filter(pk=who.bob.pk).update(pending=True)
    assert client.post("/people/profile/Bob/block/").status_code == 404


def test_only_people_have_a_button_and_not_the_own_profile(client: Client, who: People) -> None:
    house = house_accounts.opponent(levels.RECRUIT.name)
    for name in ("Alice", house.username):
        assert "/block/" not in client.get(f"/people/profile/{name}/").content.decode()
    assert "/block/" not in Client().get("/people/profile/Bob/").content.decode()
    response = client.post(f"/people/profile/{house.username}/block/", follow=True)
    assert "cannot be blocked" in response.content.decode()


def test_the_preferences_are_stored(client: Client, who: People) -> None:
    assert 'name="challenges_from" value="everybody"' in client.get(PAGE).content.decode()
    response = client.post(PAGE, {"challenges_from": "nobody", "no_talk": "on"}, follow=True)
    assert "Preferences saved." in response.content.decode()
    who.alice.refresh_from_db()
    assert (who.alice.no_challenges, who.alice.no_talk) == (True, True)
    client.post(PAGE, {"challenges_from": "everybody"})
    who.alice.refresh_from_db()
    assert (who.alice.no_challenges, who.alice.no_talk) == (False, False)


def test_an_unknown_choice_is_refused_and_changes_nothing(client: Client, who: People) -> None:
    response = client.post(PAGE, {"challenges_from": "friends", "no_talk": "on"})
    assert response.status_code == 422
    assert client.post(PAGE, {}).status_code == 422
    who.alice.refresh_from_db()
    assert not (who.alice.no_challenges or who.alice.no_talk)


def test_only_the_owner_can_open_the_page(who: People) -> None:
    assert Client().get(PAGE)["Location"] == f"/account/login/?next={PAGE}"


def test_the_page_lists_by_name_with_a_constant_query_count(
    client: Client, who: People, django_assert_max_num_queries: object
) -> None:
    for other in (who.charlie, who.bob):
        blocks.block(who.alice, other)
    blocks.block(who.bob, who.alice)
    with django_assert_max_num_queries(5):  # type: ignore[operator]
        shown = client.get(PAGE).content.decode()
    assert shown.index("/profile/Bob/unblock/") < shown.index("/profile/Charlie/unblock/")
    assert shown.count("/unblock/") == 2
