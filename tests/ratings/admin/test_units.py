"""The admin of rated results: read-only, found by number or name, taken out and put back."""

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client

from accounts.models import User
from games.ratings.models import Family, Rating, Unit
from tests.play import match_helpers
from tests.ratings.results import as_set, count_at, day, finished

PAGE = "/admin/ratings/unit/"


@pytest.fixture
def boss(db: None) -> User:
    return match_helpers.person("Berthier", is_staff=True, is_superuser=True)


@pytest.fixture
def admin_client(boss: User, settings: Any) -> Client:
    settings.STAFF_NEEDS_MFA = False
    client = Client()
    client.force_login(boss)
    return client


def act(client: Client, action: str, row: Unit | Family, where: str = PAGE) -> list[str]:
    chosen = {"action": action, "_selected_action": [row.pk], "apply": "yes"}
    answer = client.post(where, {**chosen, "reason": "A gift."}, follow=True)
    return [str(message) for message in answer.context["messages"]]


def rating_of(user: User) -> float:
    return Rating.objects.get(user=user).rating


def test_a_result_is_taken_out_and_put_back(
    admin_client: Client, alice: User, bob: User, charlie: User
) -> None:
    finished(alice, bob, "S", day(1))
    finished(alice, charlie, "S", day(2))
    count_at(day(3))
    unit = Unit.objects.get(number=1)
    whole = rating_of(alice)
    (messages,) = act(admin_client, "take_out", unit)
    assert messages.endswith("Taken out of the ratings: A gift.")
    count_at(day(3))
    unit.refresh_from_db()
    assert (unit.why, unit.taken_out_reason) == ("staff", "A gift.")
    assert rating_of(alice) == rating_of(alice) < whole
    assert not Rating.objects.filter(user=bob).exists()
    (messages,) = act(admin_client, "take_out", unit)
    assert "out of the ratings already" in messages
    act(admin_client, "put_back", unit)
    count_at(day(3))
    unit.refresh_from_db()
    assert (unit.why, unit.number) == ("", 1)
    assert rating_of(alice) == pytest.approx(whole)
    (messages,) = act(admin_client, "put_back", unit)
    assert "nobody has taken it out" in messages
    assert LogEntry.objects.count() == 2


def test_staff_cannot_correct_their_own_results(
    admin_client: Client, boss: User, alice: User
) -> None:
    finished(alice, boss, "S", day(1))
    count_at(day(2))
    unit = Unit.objects.get()
    (messages,) = act(admin_client, "take_out", unit)
    assert "you play in it yourself" in messages
    unit.refresh_from_db()
    assert not unit.taken_out
    assert Family.objects.get().replay_from is None


def test_results_are_found_by_match_and_by_player(
    admin_client: Client, alice: User, bob: User, charlie: User
) -> None:
    first = finished(alice, bob, "S", day(1), preset="assaut")
    second = finished(bob, alice, "S", day(1), preset="assaut")
    as_set(first, second)
    finished(charlie, bob, "S", day(2))
    count_at(day(3))
    count_by_term = {"": 2, str(second.pk): 1, "ali": 1, "bo": 2, "nobody": 0, "9" * 30: 0}
    for term, count in count_by_term.items():
        text = admin_client.get(PAGE, {"q": term}).content.decode()
        assert text.count('class="action-select"') == count, term
    text = admin_client.get(PAGE, {"family": "assaut"}).content.decode()
    assert text.count('class="action-select"') == 1
    page = f"{PAGE}{Unit.objects.get(family='assaut').pk}/change/"
    assert "1 – 1" in admin_client.get(page).content.decode()
    assert admin_client.post(page, {"number": 7}).status_code == 403


def test_the_query_count_of_the_list_is_constant(
    admin_client: Client, alice: User, bob: User, django_assert_max_num_queries: Any
) -> None:
    for number in range(12):
        finished(alice, bob, "S", day(number))
    count_at(day(20))
    with django_assert_max_num_queries(6):
        admin_client.get(PAGE)


def test_an_operator_can_recompute_the_ratings_of_a_game(
    admin_client: Client, alice: User, bob: User
) -> None:
    finished(alice, bob, "S", day(1))
    count_at(day(2))
    right = rating_of(alice)
    Rating.objects.update(rating=2500)
    act(admin_client, "compute_again", Family.objects.get(), "/admin/ratings/family/")
    assert Family.objects.get().replay_from == 1
    count_at(day(2))
    assert rating_of(alice) == right
