"""Rule options of an invitation, from the form to the match."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.lobby import commands
from games.lobby.models import Invitation
from games.rules import registry
from tests import tiers
from tests.floors import at_least
from tests.lobby.test_new_page import FILLED_IN, NEW, errors

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def offered(client: Client, **sent: object) -> Invitation:
    response = client.post(
        NEW, FILLED_IN | {name.replace("__", "-"): v for name, v in sent.items()}
    )
    assert response.status_code == 302, response.context["form"].errors
    return Invitation.objects.get()


def test_every_option_of_every_game_has_a_field_with_words(client: Client) -> None:
    seen = client.get(NEW).content.decode()
    for family, editions in registry.games.items():
        for spec in at_least(1, editions[0].option_specs):
            assert f'name="{family}-{spec.name}"' in seen
    for words in (
        "Change rules of Tactique",
        "Whose archers shoot before a turn.",
        "The archers of both sides shoot before every turn.",
        "A whole number from 20 to 1000; leave empty for the default.",
    ):
        assert words in seen


def test_the_script_gets_the_options_of_each_edition(client: Client) -> None:
    seen = client.get(NEW).content.decode()
    by_edition = json.loads(re.search(r'<script id="editions"[^>]*>(.*?)</script>', seen)[1])
    assert set(by_edition) == {rules.key for rules in registry.editions()}
    zh = by_edition["lattaque-zh"]
    assert zh["game"] == "lattaque"
    assert "stays face up for the rest" in zh["says"]["lattaque-faceup"]
    assert zh["numbers"] == {"lattaque-limit": 200, "lattaque-two_square": 0}


def test_unchanged_options_keep_the_values_of_the_edition(client: Client) -> None:
    invitation = offered(client, preset="lattaque-zh")
    assert (invitation.preset, invitation.switches) == ("lattaque-zh", {})


DIFFERING = [
    ("lattaque-en", "lattaque-winner", "return", {"winner": "return"}),
    ("lattaque-zh", "lattaque-scout_long_attack", "false", {"scout_long_attack": False}),
    ("lattaque-en", "lattaque-board", "9x10", {"board": "9x10"}),
    ("lattaque-en", "lattaque-two_square", "3", {"two_square": 3}),
    ("lattaque-en-isf2sq", "lattaque-limit", "60", {"limit": 60}),
    ("tactique", "tactique-two_square", "0", {"two_square": 0}),
    ("tactique", "tactique-volley_first", "false", {"volley_first": False}),
    ("tactique-step", "tactique-multi_hit", "once", {"multi_hit": "once"}),
    ("assaut-free", "assaut-limit", "150", {"limit": 150}),
]


@pytest.mark.parametrize(
    ("preset", "field", "sent", "stored"),
    tiers.parameters(DIFFERING, fast=[DIFFERING[0], DIFFERING[2], *DIFFERING[-2:]]),
)
def test_options_that_differ_from_the_edition_are_stored(
    client: Client, preset: str, field: str, sent: Any, stored: Any
) -> None:
    client.post(NEW, FILLED_IN | {"preset": preset, field: sent})
    invitation = Invitation.objects.get()
    assert (invitation.preset, invitation.switches) == (preset, stored)


def test_choosing_the_value_of_the_edition_changes_nothing(client: Client) -> None:
    invitation = offered(client, lattaque__faceup="false", lattaque__limit="200")
    assert (invitation.preset, invitation.switches) == ("lattaque-en", {})


def test_options_that_equal_another_edition_become_that_edition(client: Client) -> None:
    invitation = offered(client, lattaque__faceup="true")
    assert (invitation.preset, invitation.switches) == ("lattaque-zh", {})


def test_pieces_that_may_not_go_back_are_ticked(client: Client) -> None:
    sent = {"lattaque-no_back": "some", "lattaque-no_back-pieces": ["R", "M"]}
    client.post(NEW, FILLED_IN | sent)
    assert Invitation.objects.get().switches == {"no_back": "MR"}


def test_an_edition_that_goes_forward_only_can_allow_going_back(client: Client) -> None:
    sent = {"preset": "lattaque-en-forward", "lattaque-no_back": "-", "lattaque-limit": "100"}
    client.post(NEW, FILLED_IN | sent)
    invitation = Invitation.objects.get()
    assert invitation.rules.options["no_back"] == ""


INVALID = [
    ({"lattaque-limit": "5"}, "lattaque-limit", "Enter a whole number from 20 to 1000,"),
    ({"lattaque-limit": "many"}, "lattaque-limit", "Enter a whole number from 20 to 1000,"),
    ({"lattaque-two_square": "21"}, "lattaque-two_square", "Enter a whole number from 0 to 20"),
    ({"lattaque-winner": "away"}, "lattaque-winner", "Select a valid choice."),
    ({"lattaque-no_back": "some"}, "lattaque-no_back", "Tick at least one piece below"),
    (
        {"lattaque-no_back": "-", "lattaque-no_back-pieces": ["M"]},
        "lattaque-no_back",
        "You ticked pieces: choose “Only those ticked below”.",
    ),
    ({"lattaque-no_back-pieces": ["B"]}, "lattaque-no_back-pieces", "Select a valid choice."),
    (
        {"tactique-move": "step"},
        "__all__",
        "You changed rules of Tactique, but chose L&#x27;Attaque.",
    ),
]


@pytest.mark.parametrize(
    ("sent", "field", "words"),
    tiers.parameters(INVALID, fast=[*INVALID[:1], *INVALID[-4:]]),
)
def test_invalid_options_are_refused_with_a_sentence_and_stay_visible(
    client: Client, sent: Any, field: str, words: str
) -> None:
    response = client.post(NEW, FILLED_IN | sent)
    assert list(errors(response)) == [field]
    seen = response.content.decode()
    assert words in seen
    assert re.search(r'<details class="switches" data-game="\w+" open>', seen)
    assert not Invitation.objects.exists()


def test_the_changes_are_remembered_for_the_next_time(client: Client) -> None:
    sent = {
        "lattaque-no_back": "some",
        "lattaque-no_back-pieces": ["R"],
        "lattaque-limit": "80",
        "lattaque-spy_both": "true",
    }
    client.post(NEW, FILLED_IN | sent)
    form = client.get(NEW).context["form"]
    assert {name: form[name].value() for name in sent} == sent
    assert form["lattaque-faceup"].value() is None


def test_changes_for_a_private_link_are_not_proposed_for_a_rated_match(client: Client) -> None:
    client.post(NEW, FILLED_IN | {"kind": "link", "lattaque-limit": "80"})
    form = client.get(NEW).context["form"]
    assert form["lattaque-limit"].value() == "80"
    assert form["rated"].value() is False


def test_remembered_options_of_one_game_do_not_block_another_game(
    client: Client,
) -> None:
    remembered = {"preset": "tactique", "tactique-volley_first": "false"}
    client.post(NEW, FILLED_IN | remembered)
    client.post(NEW, FILLED_IN | remembered | {"preset": "domino"})
    invitation = Invitation.objects.get(preset="domino")
    assert invitation.switches == {}


def test_the_guest_sees_the_differences_before_accepting(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, switches={"limit": 60, "spy_both": True})
    client.force_login(bob)
    for page in (reverse("lobby:index"), invitation.get_absolute_url()):
        seen = client.get(page).content.decode()
        assert "After 60 turns in a row without a battle the game is a draw." in seen, page
        assert "The spy beats the marshal in attack and in defence." in seen, page


def test_the_list_of_challenges_shows_the_differences(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    offer(alice, guest=bob, switches={"limit": 60})
    for who in (alice, bob):
        client.force_login(who)
        assert "After 60 turns in a row" in client.get(reverse("lobby:index")).content.decode()


def test_the_match_has_the_agreed_rules(
    client: Client, alice: User, bob: User, offer: Callable[..., Invitation]
) -> None:
    invitation = offer(alice, guest=bob, preset="tactique", switches={"volley_first": False})
    match = commands.accept(invitation.pk, bob)
    assert (match.preset, match.switches) == ("tactique", {"volley_first": False})
    assert match.rules.options["volley_first"] is False


@pytest.mark.usefixtures("many_challenges")
@pytest.mark.parametrize("number", [1, 8])
def test_lists_of_changed_rules_need_a_fixed_number_of_queries(
    client: Client,
    alice: User,
    bob: User,
    offer: Callable[..., Invitation],
    number: int,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    for limit in range(20, 20 + number):
        offer(bob, switches={"limit": limit}, as_set=True)
        offer(bob, guest=alice, switches={"limit": limit})
        offer(alice, switches={"limit": limit})
    page = reverse("lobby:index")
    client.get(page)
    with django_assert_max_num_queries(18):
        seen = client.get(page).content.decode()
    assert seen.count("After 2") == 3 * number


def test_the_form_needs_few_queries(
    client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    client.get(NEW)
    with django_assert_max_num_queries(6):
        client.get(NEW)
