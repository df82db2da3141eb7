"""The memory aid is a term: offered, shown before accepting, kept by a rematch."""

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.lobby import commands
from games.lobby.models import Invitation
from games.play.models.match import Match, Status
from tests.lobby.test_new_page import FILLED_IN, NEW
from tests.play import match_helpers

pytestmark = pytest.mark.django_db

ON = "On: the match page remembers what you have seen."
OFF = "Off: both players have to remember it themselves."


@pytest.mark.parametrize(
    ("chosen", "is_on", "says"), [({}, True, ON), ({"memory_aid": "off"}, False, OFF)]
)
def test_it_is_on_unless_both_agree_to_switch_it_off(
    client: Client, alice: User, bob: User, chosen: dict[str, str], is_on: bool, says: str
) -> None:
    client.force_login(alice)
    client.post(NEW, FILLED_IN | chosen)
    invitation = Invitation.objects.get()
    assert invitation.memory_aid is is_on
    assert client.get(NEW).context["form"]["memory_aid"].value() == ("on" if is_on else "off")
    client.force_login(bob)
    page = client.get(reverse("lobby:detail", args=[invitation.pk])).content.decode()
    assert says in page
    match = commands.accept(invitation.pk, bob)
    assert match.memory_aid is is_on
    Match.objects.filter(pk=match.pk).update(status=Status.FINISHED, result="S")
    assert commands.rematch(match.pk, alice).memory_aid is is_on


@pytest.mark.parametrize(("preset", "says"), [("lattaque-en", True), ("assaut", False)])
def test_pages_of_a_game_without_hidden_pieces_do_not_mention_it(
    client: Client, alice: User, bob: User, preset: str, says: bool
) -> None:
    client.force_login(alice)
    client.post(NEW, FILLED_IN | {"preset": preset, "unit": "one", "memory_aid": "off"})
    invitation = Invitation.objects.get()
    match = match_helpers.set_up(commands.accept(invitation.pk, bob))
    for shown in (invitation, match):
        page = client.get(shown.get_absolute_url()).content.decode()
        assert (OFF in page) is ("Memory aid" in page) is says
