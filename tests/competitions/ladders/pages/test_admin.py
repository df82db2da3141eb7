"""The admin page of ladders: organisers open them and set their terms."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from config.roles import MODERATOR, ORGANISER
from games.competitions.ladders.models import Ladder, Member
from lib.db_clock import now
from tests.competitions.ladders import scene
from tests.play import match_helpers
from tests.play.forms import client_of

ADD = "/admin/competitions/ladder/add/"
TERMS = {
    "preset": "lattaque-en",
    "pace": "3d",
    "setup_pace": "5d",
    "vacations": "on",
    "rated": "on",
    "reason": "Asked for by many",
}


@pytest.fixture(autouse=True)
def _without_second_factors(settings: Settings) -> None:
    settings.STAFF_NEEDS_MFA = False


def staff(role: str) -> User:
    user = match_helpers.person(f"The{role}", is_staff=True)
    user.groups.add(Group.objects.get(name=role))
    return user


@pytest.fixture
def organiser(db: None) -> Client:
    return client_of(staff(ORGANISER))


def test_an_organiser_opens_a_ladder_with_a_reason(organiser: Client) -> None:
    assert organiser.get(ADD).status_code == 200
    assert organiser.post(ADD, TERMS).status_code == 302
    ladder = Ladder.objects.get()
    assert (ladder.family, ladder.preset, ladder.rated) == ("lattaque", "lattaque-en", True)
    assert "(Asked for by many)" in LogEntry.objects.get().get_change_message()


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"pace": "none"}, "A ladder needs a time limit."),
        ({"setup_pace": "none"}, "A ladder needs a time limit."),
        ({"pace": "soon"}, "This is no time control."),
        ({"reason": ""}, "This field is required."),
        ({"preset": "chess"}, "Select a valid choice."),
    ],
)
def test_invalid_terms_are_refused(
    organiser: Client, changed: dict[str, str], sentence: str
) -> None:
    response = organiser.post(ADD, TERMS | changed)
    assert response.status_code == 200
    assert sentence in response.content.decode()
    assert not Ladder.objects.exists()


def test_a_game_has_one_ladder(organiser: Client) -> None:
    organiser.post(ADD, TERMS)
    response = organiser.post(ADD, TERMS | {"preset": "lattaque-zh"})
    assert "This game has a ladder already." in response.content.decode()
    assert Ladder.objects.count() == 1


def test_terms_are_changed_with_a_reason_and_the_game_stays(organiser: Client) -> None:
    organiser.post(ADD, TERMS)
    page = f"/admin/competitions/ladder/{Ladder.objects.get().pk}/change/"
    organiser.post(page, TERMS | {"pace": "5d", "reason": "Too fast"})
    assert Ladder.objects.get().pace == "5d"
    assert LogEntry.objects.latest("pk").get_change_message() == "pace: 5d (Too fast)"
    response = organiser.post(page, TERMS | {"preset": "assaut"})
    assert "Select a valid choice." in response.content.decode()
    assert Ladder.objects.get().preset == "lattaque-en"
    assert organiser.get(page.replace("change", "delete")).status_code == 403


def test_an_organiser_on_the_ladder_does_not_set_its_terms(organiser: Client) -> None:
    organiser.post(ADD, TERMS)
    ladder = Ladder.objects.get()
    scene.add_members(ladder, 1, now())
    Member.objects.update(user=User.objects.get(is_staff=True))
    page = f"/admin/competitions/ladder/{ladder.pk}/change/"
    response = organiser.post(page, TERMS | {"pace": "1d", "reason": "For me"})
    assert "somebody else has to set its terms" in response.content.decode()
    assert Ladder.objects.get().pace == "3d"


def test_other_staff_cannot_open_or_change_a_ladder(db: None) -> None:
    client = client_of(staff(MODERATOR))
    assert client.get(ADD).status_code == 403
    assert client.get("/admin/competitions/ladder/").status_code == 403


def test_a_blocked_player_is_removed(db: None) -> None:
    users = scene.add_members(scene.open_ladder(), 2, now())
    client = client_of(staff(MODERATOR))
    client.post(
        "/admin/accounts/user/",
        {"action": "block", "_selected_action": users[0].pk, "apply": "1", "reason": "Threats"},
    )
    users[0].refresh_from_db()
    assert not users[0].is_active
    assert list(Member.objects.values_list("user", "place")) == [(users[1].pk, 1)]
