"""Pages of tournaments: for visitors and players, with constant queries, and the CSVs."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.competitions.tournaments.models import Entry, State, Tournament
from lib.db_clock import frozen_at
from tests import tiers
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import START, after
from tests.play.forms import client_of

pytestmark = pytest.mark.django_db


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_player_can_enter_and_leave(client: Client) -> None:
    made = playing.tournament()
    (member,) = playing.members(1)
    hers, path = client_of(member), made.get_absolute_url()
    with frozen_at(START):
        assert "Sign in to enter" in page(client, path)
        assert "Spring" in page(client, "/tournaments/")
        assert hers.get(f"{path}enter/").status_code == 302
        assert not made.entries.exists()
        hers.post(f"{path}enter/")
        assert "You have entered." in page(hers, path)
        hers.post(f"{path}leave/")
        assert not made.entries.exists()
        assert client.post(f"{path}enter/")["Location"].startswith("/account/login/")


def test_a_refusal_is_shown_as_a_sentence() -> None:
    made = playing.tournament(min_finished=50)
    (member,) = playing.members(1)
    with frozen_at(START):
        answer = client_of(member).post(f"{made.get_absolute_url()}enter/", follow=True)
    assert "finished at least 50 matches" in answer.content.decode()


def test_drafts_are_not_found_by_visitors(client: Client) -> None:
    made = playing.tournament()
    Tournament.objects.update(state=State.DRAFT)
    (member,) = playing.members(1)
    assert client.get(made.get_absolute_url()).status_code == 404
    assert client.get(f"{made.get_absolute_url()}table.csv").status_code == 404
    assert client_of(member).post(f"{made.get_absolute_url()}enter/").status_code == 404
    assert "Spring" not in page(client, "/tournaments/")


def test_cross_tables_and_remaining_matches_are_shown(client: Client) -> None:
    users = playing.members(7)
    made = playing.drawn(users, stages=2)
    playing.end(playing.pairing_of(made, users[0], users[3]).match, users[0], after(1))
    playing.tick(after(1))
    path = made.get_absolute_url()
    with frozen_at(after(1)):
        seen = page(client, path)
        hers = page(client_of(users[0]), path)
    assert "Group 1" in seen and "Group 2" in seen
    assert playing.stage(made).seed in seen
    assert "What is left for you" not in seen
    assert "What is left for you" in hers
    assert "<script" not in seen.partition("<main")[2].partition("</main")[0]


def test_leaving_a_running_tournament_asks_for_confirmation() -> None:
    users = playing.members(3)
    made = playing.drawn(users)
    hers, path = client_of(users[0]), f"{made.get_absolute_url()}leave/"
    with frozen_at(after(1)):
        response = hers.post(path)
        assert b"Withdraw for good" in response.content
        assert response.content.count(b'href="/match/') == 2
        assert made.entries.get(user=users[0]).status == Entry.Status.PLAYING
        hers.post(path, {"sure": "yes"})
    assert made.entries.get(user=users[0]).status == Entry.Status.WITHDRAWN


def queries(client: Client, path: str) -> int:
    with CaptureQueriesContext(connection) as captured:
        page(client, path)
    return len(captured)


@pytest.mark.parametrize("size", tiers.parameters((6, 12), fast=(6,)))
def test_the_query_count_does_not_grow_with_the_tournament(client: Client, size: int) -> None:
    users = playing.members(size)
    small, large = playing.drawn(users[:3]), playing.drawn(users)
    for name in ("", "table.csv", "pairings.csv"):
        counts = [queries(client, f"{made.get_absolute_url()}{name}") for made in (small, large)]
        assert counts[0] == counts[1] <= 9


def test_the_csv_files_are_those_of_the_command(client: Client) -> None:
    made = playing.drawn(playing.members(3))
    for name, pairings in (("table", False), ("pairings", True)):
        answer = client.get(f"{made.get_absolute_url()}{name}.csv")
        assert answer["Content-Type"] == "text/csv; charset=utf-8"
        assert answer.content.decode() == playing.csv(made, pairings=pairings)


def test_the_page_of_a_match_names_its_tournament(client: Client) -> None:
    users = playing.members(3)
    made = playing.drawn(users)
    match = playing.pairing_of(made, users[0], users[1]).match
    seen = page(client, match.get_absolute_url())
    assert f'href="{made.get_absolute_url()}">Spring</a>' in seen
