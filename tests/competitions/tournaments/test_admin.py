"""The admin of tournaments: an organiser makes a draft and opens it, unless they play in it."""

import pytest
from django.contrib.auth.models import Group
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from config.roles import ORGANISER
from games.competitions.tournaments.models import Entry, State, Tournament
from lib.db_clock import frozen_at
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import after
from tests.play import match_helpers

pytestmark = pytest.mark.django_db
LIST = "/admin/competitions/tournament/"
FORM = {
    "title": "Spring",
    "preset": "lattaque-en",
    "pace": "3d",
    "setup_pace": "5d",
    "group_size": 6,
    "grouping": "even",
    "stages": 1,
    "places": 1,
    "at_once": 0,
    "min_finished": 1,
    "max_entries": 24,
    "days": 365,
    "rating_from": "",
    "rating_to": "",
    "opens_at_0": "2030-01-01",
    "opens_at_1": "12:00",
    "closes_at_0": "2030-01-08",
    "closes_at_1": "12:00",
}


@pytest.fixture
def organiser(settings: Settings) -> User:
    settings.STAFF_NEEDS_MFA = False
    staff = match_helpers.person("Otto", is_staff=True)
    staff.groups.add(Group.objects.get(name=ORGANISER))
    return staff


@pytest.fixture
def organiser_client(organiser: User) -> Client:
    client = Client()
    client.force_login(organiser)
    return client


def act(organiser_client: Client, where: str, action: str, pk: int) -> str:
    form = {"action": action, "_selected_action": [pk], "apply": "yes", "reason": "So be it."}
    return organiser_client.post(where, {**form, "days": 2}, follow=True).content.decode()


def test_a_draft_is_made_changed_and_opened(organiser_client: Client) -> None:
    assert organiser_client.post(f"{LIST}add/", FORM).status_code == 302
    made = Tournament.objects.get()
    assert made.state == State.DRAFT
    organiser_client.post(f"{LIST}{made.pk}/change/", {**FORM, "title": "Summer"})
    act(organiser_client, LIST, "open_entry", made.pk)
    made.refresh_from_db()
    assert (made.title, made.state) == ("Summer", State.OPEN)
    # From now on nothing changes but the dates, and these to later days.
    assert organiser_client.post(f"{LIST}{made.pk}/change/", FORM).status_code == 403
    before = made.closes_at
    act(organiser_client, LIST, "prolong", made.pk)
    made.refresh_from_db()
    assert (made.closes_at - before).days == 2


def test_a_wrong_value_is_named_in_the_form(organiser_client: Client) -> None:
    answer = organiser_client.post(f"{LIST}add/", {**FORM, "pace": "none"})
    assert "needs a time limit" in answer.content.decode()
    assert not Tournament.objects.exists()


def test_the_last_date_can_be_moved_while_it_runs(organiser_client: Client) -> None:
    made = playing.drawn(playing.members(3))
    before = playing.stage(made).ends_at
    act(organiser_client, LIST, "prolong", made.pk)
    assert (playing.stage(made).ends_at - before).days == 2


def test_excluding_a_player_withdraws_them_and_gives_the_reason(organiser_client: Client) -> None:
    users = playing.members(3)
    made = playing.drawn(users)
    entry = made.entries.get(user=users[0])
    with frozen_at(after(1)):
        act(organiser_client, "/admin/competitions/entry/", "exclude_player", entry.pk)
    entry.refresh_from_db()
    assert (entry.status, entry.why, entry.reason) == (
        Entry.Status.WITHDRAWN,
        Entry.Why.EXCLUDED,
        "So be it.",
    )


def test_an_organiser_who_plays_in_it_cannot_decide(
    organiser_client: Client, organiser: User
) -> None:
    users = playing.members(3)
    made = playing.drawn([*users, organiser])
    ends_at = playing.stage(made).ends_at
    messages = act(organiser_client, LIST, "prolong", made.pk)
    assert "somebody else has to do this" in messages
    entry = made.entries.get(user=users[0])
    messages = act(organiser_client, "/admin/competitions/entry/", "exclude_player", entry.pk)
    assert "somebody else has to do this" in messages
    entry.refresh_from_db()
    assert entry.status == Entry.Status.PLAYING
    assert playing.stage(made).ends_at == ends_at
