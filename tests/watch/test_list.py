"""List of matches to watch: which are on it, their order, pages, and what a page costs."""

import html
import re
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.people import bots
from games.competitions.tournaments.models import State, Tournament
from games.house import house_accounts
from games.play.models.match import Match, Player, Status
from games.rules.core.basics.pieces import Seat
from games.watch import listing, live_board
from lib.db_clock import now
from tests.competitions.ladders import scene
from tests.competitions.tournaments import playing
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

Make = Callable[..., Match]


def shelf(who: People, count: int, **columns: object) -> list[Match]:
    """Running matches as the list needs them, without any plies."""
    at = now()
    values: dict[str, object] = {"preset": "lattaque-en", "pace": "3d", "setup_pace": "5d"}
    values |= {"status": Status.RUNNING, "ply": 8, "opening": 2, "created_at": at} | columns
    made = Match.objects.bulk_create(Match(**values) for _ in range(count))
    Player.objects.bulk_create(
        Player(match=match, user=user, seat=seat, to_act=seat == 0, moved_at=at)
        for match in made
        for seat, user in enumerate((who.alice, who.bob))
    )
    live_board.forget()
    return made


def listed(query: str = "") -> list[int]:
    live_board.forget()
    page = Client().get(f"/watch/{query}").context["page"]
    return [row.match.pk for row in page.rows]


def words(answer: Any) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", answer.content.decode())))


def test_a_match_is_listed_once_each_player_has_moved_twice(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6", "a5-a4")
    assert listed() == []
    match_helpers.play(match, "j6-j7")
    assert listed() == [match.pk]


def test_matches_in_set_up_and_finished_ones_are_not_listed(who: People, watchable: Make) -> None:
    match_helpers.new_match(who)
    over = match_helpers.resign(watchable(), loser=Seat.SOUTH)
    assert listed() == []
    assert f"/archive/{over.pk}/" in Client().get("/watch/").content.decode()


def test_an_unlisted_match_is_not_listed_but_open_to_visitors(
    watchable: Make,
) -> None:
    match = watchable(listed=False)
    assert listed() == listed("?with=all") == []
    assert Client().get(match.get_absolute_url()).status_code == 200


def test_a_row_says_who_is_to_move_since_when_and_shows_the_board(watchable: Make) -> None:
    match = watchable()
    page = Client().get("/watch/")
    assert "Alice to move since" in words(page)
    assert f'src="/match/{match.pk}/small/4.svg"' in page.content.decode()
    assert "left" not in words(page).partition("Matches being played")[2].partition("listed")[0]
    assert "Alice – Bob" in words(page)


def test_the_list_can_show_the_newest_or_longest_matches_first(who: People) -> None:
    old, long, new = shelf(who, 1) + shelf(who, 1, ply=90) + shelf(who, 1, ply=20)
    assert listed() == listed("?order=newest") == [new.pk, long.pk, old.pk]
    assert listed("?order=longest") == [long.pk, new.pk, old.pk]


def test_the_list_can_be_filtered_by_game(who: People) -> None:
    attack, domino = shelf(who, 1) + shelf(who, 1, preset="assaut")
    assert listed("?game=lattaque") == [attack.pk]
    assert listed("?game=assaut") == [domino.pk]


def test_matches_against_the_computer_are_listed_on_request(who: People) -> None:
    people = shelf(who, 1)[0]
    house = shelf(who, 1)[0]
    house.players.filter(user=who.bob).update(user=house_accounts.ensure()[0])
    assert listed() == listed("?with=people") == [people.pk]
    assert listed("?with=all") == [house.pk, people.pk]


@pytest.mark.parametrize("order", ["newest", "longest"])
def test_pages_have_twenty_matches_each(who: People, order: str) -> None:
    made = [match.pk for match in shelf(who, 45)][::-1]
    first = listed(f"?order={order}")
    assert first == made[:20]
    second = listed(f"?order={order}&after={first[-1]}")
    assert second == made[20:40]
    assert listed(f"?order={order}&after={second[-1]}") == made[40:]


@pytest.mark.parametrize("after", ["999999", "x", "-1", "9" * 40, ""])
def test_a_page_after_an_unlisted_match_is_the_first(who: People, after: str) -> None:
    match = shelf(who, 1)[0]
    assert listed(f"?after={after}") == [match.pk]


@pytest.mark.parametrize("query", ["game=chess", "order=best", "with=nobody", "game=%22"])
def test_an_unknown_choice_is_named(who: People, query: str) -> None:
    shelf(who, 1)
    answer = Client().get(f"/watch/?{query}")
    assert answer.status_code == 422
    assert "is not one of the choices. Choose one from the list." in words(answer)
    assert answer.context["page"] is None


def test_the_list_is_computed_once_a_minute(who: People) -> None:
    with time_machine.travel("2026-05-01T12:00:01Z", tick=False):
        assert listed() == []
        match_helpers.running_match(who, "a4-a5", "j7-j6", "a5-a4", "j6-j7")
        assert len(Client().get("/watch/").context["page"].rows) == 0
    with time_machine.travel("2026-05-01T12:01:00Z", tick=False):
        assert len(Client().get("/watch/").context["page"].rows) == 1


def test_a_match_that_ended_within_the_minute_is_left_out(who: People) -> None:
    one, other = shelf(who, 2)
    assert listed() == [other.pk, one.pk]
    Match.objects.filter(pk=other.pk).update(status=Status.VOID)
    page = Client().get("/watch/").context["page"]
    assert [row.match.pk for row in page.rows] == [one.pk]


def test_more_matches_cost_no_more_queries(who: People) -> None:
    counts = []
    for count in (2, 30):
        shelf(who, count)
        with CaptureQueriesContext(
            connection,
        ) as captured:
            Client().get("/watch/")
        counts.append(len(captured))
    assert counts[0] == counts[1]
    with CaptureQueriesContext(connection) as captured:
        Client().get("/watch/?order=longest&with=all")
    # All but the list itself: rows and players, finished matches and theirs, the clock.
    assert len(captured) == counts[0] - 1


def test_only_the_newest_thousand_are_considered(who: People) -> None:
    shelf(who, listing.NEWEST + 5)
    assert len(listing.listed()) == listing.NEWEST


def test_six_finished_matches_are_shown_below(who: People) -> None:
    at = now()
    made = [
        Match(
            preset="lattaque-en",
            pace="3d",
            setup_pace="5d",
            status=Status.FINISHED,
            result="S",
            reason="resigned",
            ply=9,
            opening=2,
            created_at=at,
            finished_at=at - timedelta(days=number),
        )
        for number in range(8)
    ]
    Match.objects.bulk_create(made)
    Player.objects.bulk_create(
        Player(match=match, user=user, seat=seat, live=False)
        for match in made
        for seat, user in enumerate((who.alice, who.bob))
    )
    finished = Client().get("/watch/").context["finished"]
    assert [match.pk for match in finished] == [match.pk for match in made[:6]]


def test_the_masthead_links_to_the_list(alice_client: Client) -> None:
    for client in (alice_client, Client()):
        assert '<a href="/watch/">Watch</a>' in client.get("/lobby/").content.decode()
    assert '<a href="/watch/" aria-current="page">' in alice_client.get("/watch/").content.decode()


def test_matches_of_bots_are_listed_on_request_and_come_last_on_the_live_board(
    who: People,
) -> None:
    people, program = shelf(who, 1) + shelf(who, 1)
    program.players.filter(user=who.bob).update(user=bots.create(who.charlie, "Roboto"))
    program.players.update(moved_at=now())
    assert listed() == [people.pk]
    assert listed("?with=all") == [program.pk, people.pk]
    people.players.update(moved_at=now() - timedelta(days=1))
    listing.forget()
    assert listing.latest() == people.pk


def test_the_list_can_be_filtered_by_a_ladder_or_a_tournament(who: People) -> None:
    ladder, made = scene.open_ladder(), playing.tournament()
    _plain, climbing, drawn = (
        *shelf(who, 1),
        *shelf(who, 1, event=ladder.event_key),
        *shelf(who, 1, event=made.event_key),
    )
    assert listed(f"?event={ladder.event_key}") == [climbing.pk]
    assert listed(f"?event={made.event_key}") == [drawn.pk]
    with CaptureQueriesContext(connection) as alone:
        Client().get("/watch/")
    with CaptureQueriesContext(connection) as captured:
        page = words(Client().get(f"/watch/?event={made.event_key}"))
    assert len(captured) == len(alone) + 1
    assert "any event" in page and "Spring" in page
    link = f"/watch/?event={ladder.event_key}"
    assert link in Client().get(ladder.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    "event",
    [
        *("tournament/", "tournament/999999", "tournament/01", "tournament/x", "ladder/chess"),
        *("ladder/lattaque", "tournament/" + "9" * 5000, "%22", "cup/1"),
    ],
)
def test_an_unknown_event_is_named(who: People, event: str) -> None:
    shelf(who, 1)
    answer = Client().get(f"/watch/?event={event}")
    assert answer.status_code == 422
    assert "is not one of the choices. Choose one from the list." in words(answer)


def test_a_draft_is_no_event(who: People) -> None:
    made = playing.tournament()
    Tournament.objects.update(state=State.DRAFT)
    answer = Client().get(f"/watch/?event={made.event_key}")
    assert answer.status_code == 422 and "Spring" not in words(answer)
