"""The house as the opponent of a new invitation, a challenge or a rematch."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.house import house_accounts
from games.house.playing import new_match
from games.lobby.models import Invitation
from games.play.commands import endings
from games.play.models.match import Match, Player
from tests.house.conftest import house_of, move_first
from tests.play.forms import client_of

NEW = reverse("lobby:new")
FILLED_IN = {
    "kind": "house",
    "level": "marshal",
    "preset": "lattaque-zh",
    "seat": "1",
    "pace": "5d",
    "vacations": "on",
}


def checked(page: Any, name: str) -> list[str]:
    """The checked values of a radio field on a page."""
    return re.findall(rf'name="{name}" value="(\w*)"[^>]*checked', page.content.decode())


def test_sending_the_form_begins_a_match_on_its_terms(alice_client: Client, alice: User) -> None:
    answer = alice_client.post(NEW, FILLED_IN | {"lattaque-limit": "60"}, follow=True)
    match = Match.objects.get()
    assert answer.redirect_chain == [(match.get_absolute_url(), 302)]
    assert (match.preset, match.pace, match.switches) == ("lattaque-zh", "5d", {"limit": 60})
    assert str(house_of(match)) == "House-Marshal"
    assert Player.objects.get(match=match, user=alice).seat == 1
    assert not Player.objects.get(match=match, user=house_of(match)).to_act
    assert "The match has begun. Set up your army." in answer.content.decode()


def test_without_a_level_the_easiest_plays(alice_client: Client) -> None:
    alice_client.post(NEW, FILLED_IN | {"level": ""})
    assert str(house_of(Match.objects.get())) == "House-Recruit"


def test_the_next_form_remembers_the_house_and_its_level(alice_client: Client) -> None:
    assert checked(alice_client.get(NEW), "kind") == ["seat"]
    alice_client.post(NEW, FILLED_IN)
    page = alice_client.get(NEW)
    assert checked(page, "kind") == ["house"]
    assert '<option value="marshal" selected>' in page.content.decode()


@pytest.mark.parametrize("wrong", [{"level": "general"}, {"opponent": "Bob"}])
def test_values_that_do_not_fit_the_house_are_refused(
    alice_client: Client, wrong: dict[str, str]
) -> None:
    assert alice_client.post(NEW, FILLED_IN | wrong).status_code == 422
    assert not Match.objects.exists()


def test_beyond_the_limits_the_form_says_so(
    alice_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_match, "MAX_LIVE_MATCHES", 1)
    alice_client.post(NEW, FILLED_IN)
    refused = alice_client.post(NEW, FILLED_IN)
    assert refused.status_code == 422
    assert "You have 1 running matches against the computer" in refused.content.decode()
    assert Invitation.objects.count() == Match.objects.count() == 1


def test_a_challenge_to_its_username_begins_at_once(alice_client: Client) -> None:
    house_accounts.ensure()
    page = reverse("lobby:challenge", args=["House-Sergeant"])
    answer = alice_client.post(
        page, FILLED_IN | {"kind": "challenge", "opponent": "House-Sergeant"}
    )
    assert answer["Location"] == Match.objects.get().get_absolute_url()


def test_a_rematch_redirects_to_the_new_match(
    against: Callable[..., Match], alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = against()
    move_first(match, alice)
    endings.resign(match.pk, alice)
    browser = client_of(alice)
    monkeypatch.setattr(new_match, "MAX_LIVE_MATCHES", 0)
    refused = browser.post(reverse("lobby:rematch", args=[match.pk]), follow=True)
    assert "running matches against the computer" in refused.content.decode()
    monkeypatch.undo()
    answer = browser.post(reverse("lobby:rematch", args=[match.pk]), follow=True)
    again = Match.objects.get(rematch_of=match)
    assert answer.redirect_chain[-1] == (again.get_absolute_url(), 302)
    assert "The rematch has begun. Set up your army." in answer.content.decode()
