"""Profiles: what others see of a user, and what nobody sees."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests import tiers
from tests.accounts.conftest import sign_in


def test_others_see_the_username_and_the_join_date(client: Client, ann: User) -> None:
    page = client.get("/people/profile/annabel/").content.decode()
    assert "Annabel" in page
    assert str(ann.date_joined.year) in page


def test_no_profile_shows_the_address(ann: User, boss: User) -> None:
    staff = Client()
    sign_in(staff, "Berthier")
    for client in (Client(), staff):
        assert "example.org" not in client.get("/people/profile/Annabel/").content.decode()


def test_an_unknown_user_has_no_page(client: Client, db: None) -> None:
    assert client.get("/people/profile/Nemo/").status_code == 404


def test_a_player_is_challenged_from_their_page_but_never_by_themselves(
    client: Client, ann: User, boss: User
) -> None:
    sign_in(client, "Berthier")
    assert 'href="/lobby/challenge/Annabel/"' in client.get(ann.get_absolute_url()).content.decode()
    assert "/lobby/challenge/" not in client.get(boss.get_absolute_url()).content.decode()


@pytest.mark.postgresql  # it refuses zero bytes
@pytest.mark.parametrize(
    "name",
    tiers.parameters(
        ["%00", "Anna%00bel", "%F0%9F%98%80", "x" * 200, "%2e%2e"], fast=("%00", "x" * 200)
    ),
)
@pytest.mark.parametrize("page", ["people/profile", "time-off", "lobby/challenge"])
def test_an_invalid_username_has_no_page(client: Client, ann: User, page: Any, name: str) -> None:
    sign_in(client, "Annabel")
    answer = client.get(f"/{page}/{name}/")
    # The form asks for the opponent again.
    assert answer.status_code == 404 or (page == "lobby/challenge" and "00" not in name)
