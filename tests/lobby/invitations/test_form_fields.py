"""Conditions and repeats in the form of a new invitation."""

import html
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.lobby.invitations.conditions import Conditions
from games.lobby.models import Invitation
from tests import tiers

pytestmark = pytest.mark.django_db

NEW = reverse("lobby:new")
FILLED_IN = {"kind": "seat", "preset": "lattaque-en", "pace": "3d", "vacations": "on"}
CHOSEN = {
    "rating_from": "1400",
    "rating_to": "1600",
    "established": "on",
    "min_finished": "5",
    "reliable": "on",
}
CONDITIONS = Conditions(1400, 1600, established=True, min_finished=5, reliable=True)


@pytest.mark.parametrize("kind", ["seat", "link"])
def test_conditions_are_stored_with_the_invitation(alice_client: Client, kind: str) -> None:
    alice_client.post(NEW, FILLED_IN | CHOSEN | {"kind": kind})
    assert Conditions.of_invitation(Invitation.objects.get()) == CONDITIONS


def test_without_fields_there_are_none(alice_client: Client) -> None:
    alice_client.post(NEW, FILLED_IN)
    invitation = Invitation.objects.get()
    assert (Conditions.of_invitation(invitation), invitation.repeats) == (Conditions(), 0)


def test_a_challenge_has_no_conditions_and_no_repeats(alice_client: Client, bob: User) -> None:
    alice_client.post(
        NEW, FILLED_IN | CHOSEN | {"kind": "challenge", "opponent": "Bob", "repeats": "3"}
    )
    challenge = Invitation.objects.get()
    assert (Conditions.of_invitation(challenge), challenge.repeats) == (Conditions(), 0)


@pytest.mark.parametrize(("kind", "repeats"), [("seat", 9), ("link", 0)])
def test_only_an_open_seat_is_offered_again(alice_client: Client, kind: str, repeats: int) -> None:
    alice_client.post(NEW, FILLED_IN | {"kind": kind, "repeats": "9"})
    assert Invitation.objects.get().repeats == repeats


WRONG = [
    ({"rating_from": "99"}, "rating_from", "from 100 to 3500"),
    ({"rating_to": "3501"}, "rating_to", "from 100 to 3500"),
    ({"rating_from": "many"}, "rating_from", "from 100 to 3500"),
    ({"rating_from": "1600", "rating_to": "1599"}, "rating_to", "at least 1600"),
    ({"min_finished": "2"}, "min_finished", "2 is not one of the available choices"),
    ({"repeats": "10"}, "repeats", "from 0 to 9"),
    ({"repeats": "-1"}, "repeats", "from 0 to 9"),
]


@pytest.mark.parametrize(
    ("wrong", "field", "words"),
    tiers.parameters(WRONG, fast=WRONG[2:6]),
)
def test_a_wrong_value_is_named_and_its_section_opened(
    alice_client: Client, wrong: dict[str, str], field: str, words: str
) -> None:
    answer = alice_client.post(NEW, FILLED_IN | wrong)
    assert answer.status_code == 422
    assert list(answer.context["form"].errors) == [field]
    assert words in str(answer.context["form"].errors[field])
    assert '<details class="more" id="more" open>' in answer.content.decode()
    assert not Invitation.objects.exists()


def test_the_last_conditions_are_remembered_and_named(alice_client: Client) -> None:
    alice_client.post(NEW, FILLED_IN | CHOSEN | {"repeats": "2"})
    page = alice_client.get(NEW)
    form = page.context["form"]
    assert {name: form[name].value() for name in CHOSEN} == CONDITIONS.values()
    assert form["repeats"].value() is None
    assert form.changed_options() == ["not listed", "conditions"]


def test_the_page_of_the_invitation_lists_them(
    alice_client: Client, bob_client: Client, alice: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, conditions=CONDITIONS, repeats=2, rated=True)
    for client in (alice_client, bob_client):
        seen = html.unescape(client.get(invitation.get_absolute_url()).content.decode())
        assert "A rating from 1400 to 1600" in seen
        assert "At least 5 finished matches" in seen
        assert "No loss on time and no missing set-up within 90 days" in seen
        assert "2 times after somebody has taken it" in seen
        assert "the result counts for both ratings" in seen
