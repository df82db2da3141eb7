"""List of finished matches: contents, order, search."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.archive import finished_matches
from games.play.commands import endings, moderation
from games.play.models.match import Match, Player, Status
from games.rules.core.basics.pieces import Seat
from tests import tiers
from tests.archive.conftest import browser
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql

ARCHIVE = "/archive/"
NOON = datetime(2026, 5, 10, 12, tzinfo=UTC)


def shelved(
    who: People,
    ended: datetime | None = NOON,
    result: str = "S",
    preset: str = "lattaque-en",
    seats: Any = None,
) -> Match:
    """A finished match as the list needs it, without any plies."""
    match = Match.objects.create(
        preset=preset,
        pace="3d",
        setup_pace="5d",
        status=Status.FINISHED,
        result=result,
        reason="agreed" if result == "draw" else "resigned",
        ply=12,
        opening=2,
        created_at=ended - timedelta(days=30),
        finished_at=ended,
    )
    for seat, user in zip(Seat, seats or (who.alice, who.bob), strict=True):
        Player.objects.create(match=match, user=user, seat=seat, live=False)
    return match


def listed(client: Client, query: str = "") -> list[int]:
    """The ids of the matches on a page, in order."""
    page = client.get(ARCHIVE + query).context["page"]
    return [match.pk for match in page.matches]


def words(client: Client, query: str) -> str:
    return client.get(ARCHIVE + query).content.decode()


def test_finished_matches_are_listed_newest_first(who: People, visitor: Client) -> None:
    old, new = shelved(who), shelved(who, NOON + timedelta(days=1))
    older = shelved(who, NOON - timedelta(days=1))
    assert listed(visitor) == [new.pk, old.pk, older.pk]


def test_a_line_shows_players_game_and_result(who: People, visitor: Client) -> None:
    match = shelved(who)
    page = words(visitor, "")
    assert f'<a href="/archive/{match.pk}/">Alice – Bob</a>' in page
    assert "Alice won: the other side resigned." in page
    assert '<td class="num" data-label="Moves:">5</td>' in page
    assert "10 May 2026" in page


def test_only_finished_matches_are_listed(who: People, visitor: Client) -> None:
    match_helpers.running_match(who)
    match_helpers.new_match(who)
    cancelled = match_helpers.new_match(who)
    endings.abort(cancelled.pk, who.alice)
    void = match_helpers.running_match(who, "a4-a5")
    moderation.void(void.pk, "the server was ill")
    assert listed(visitor) == []
    assert listed(browser(who.alice), "?player=Alice") == []


def test_an_empty_archive_says_so(db: None, visitor: Client) -> None:
    assert "No match has ended yet." in words(visitor, "")


def test_an_empty_search_says_so_and_keeps_the_form(who: People, visitor: Client) -> None:
    shelved(who)
    page = words(visitor, "?player=Charlie&until=2026-12-31")
    assert "No finished match was found." in page
    assert 'value="Charlie"' in page and 'value="2026-12-31"' in page


@pytest.mark.parametrize("handle", ["Alice", "alice", "ALICE", "%20alice%20"])
def test_a_player_is_found_by_any_spelling_of_the_username(
    who: People, visitor: Client, handle: str
) -> None:
    theirs = shelved(who)
    shelved(who, seats=(who.charlie, who.bob))
    assert listed(visitor, f"?player={handle}") == [theirs.pk]


def test_two_players_are_found_in_either_order(who: People, visitor: Client) -> None:
    shelved(who, seats=(who.charlie, who.bob))
    theirs = shelved(who, seats=(who.bob, who.alice))
    assert listed(visitor, "?player=alice&opponent=bob") == [theirs.pk]
    assert listed(visitor, "?player=bob&opponent=alice") == [theirs.pk]
    assert listed(visitor, "?player=alice&opponent=alice") == []
    assert listed(visitor, "?player=alice&opponent=ALICE&result=won") == []


def test_an_unknown_username_is_reported(who: People, visitor: Client) -> None:
    shelved(who)
    page = words(visitor, "?player=Zacharias")
    assert "There is no player called “Zacharias”." in page
    assert 'value="Zacharias"' in page


def test_an_unconfirmed_account_is_not_found(who: People, visitor: Client) -> None:
    match_helpers.person("Pendant", pending=True)
    assert "There is no player called “Pendant”." in words(visitor, "?player=Pendant")


def test_rules_and_results_can_be_chosen(who: People, visitor: Client) -> None:
    south, north = shelved(who), shelved(who, result="N")
    drawn = shelved(who, result="draw", preset="lattaque-zh")
    assert listed(visitor, "?result=south") == [south.pk]
    assert listed(visitor, "?result=north") == [north.pk]
    assert listed(visitor, "?result=draw") == [drawn.pk]
    assert listed(visitor, "?preset=lattaque-zh") == [drawn.pk]


def test_won_and_lost_count_for_a_player_in_either_seat(who: People, visitor: Client) -> None:
    won = shelved(who)
    lost = shelved(who, NOON - timedelta(1), result="N")
    won_as_north = shelved(who, NOON - timedelta(2), result="N", seats=(who.bob, who.alice))
    shelved(who, result="draw")
    assert listed(visitor, "?player=alice&result=won") == [won.pk, won_as_north.pk]
    assert listed(visitor, "?player=alice&result=lost") == [lost.pk]


def test_won_without_a_player_is_an_error(who: People, visitor: Client) -> None:
    assert "Enter a player, or choose another result." in words(visitor, "?result=won")


def test_both_days_of_a_search_are_included(who: People, visitor: Client) -> None:
    first = shelved(who, datetime(2026, 5, 10, tzinfo=UTC))
    last = shelved(who, datetime(2026, 5, 11, 23, 59, 59, tzinfo=UTC))
    shelved(who, datetime(2026, 5, 12, tzinfo=UTC))
    shelved(who, datetime(2026, 5, 9, 23, 59, 59, tzinfo=UTC))
    assert listed(visitor, "?since=2026-05-10&until=2026-05-11") == [last.pk, first.pk]


def test_days_are_in_the_readers_time_zone(who: People) -> None:
    """At 21:00 in London it is the next day in Tokyo."""
    match = shelved(who, datetime(2026, 5, 10, 20, tzinfo=UTC))
    who.alice.zone = "Asia/Tokyo"
    who.alice.save()
    assert listed(browser(who.alice), "?since=2026-05-11") == [match.pk]
    assert listed(browser(who.bob), "?since=2026-05-11") == []


@pytest.mark.parametrize("day", ["yesterday", "2026-02-30", "31.12.2026", "0000-00-00"])
def test_a_wrong_day_is_an_error_and_keeps_the_form(who: People, visitor: Client, day: int) -> None:
    shelved(who)
    page = words(visitor, f"?player=Alice&since={day}")
    assert "This is not a date. Write year, month and day: 2026-11-20." in page
    assert 'value="Alice"' in page and f'value="{day}"' in page


def test_days_in_the_wrong_order_are_an_error(who: People, visitor: Client) -> None:
    page = words(visitor, "?since=2026-05-11&until=2026-05-10")
    assert "The last day is before the first." in page


def test_days_at_the_limits_of_the_calendar_do_not_overflow(who: People) -> None:
    match = shelved(who)
    who.alice.zone = "Pacific/Kiritimati"
    who.alice.save()
    assert listed(browser(who.alice), "?since=0001-01-01&until=9999-12-31") == [match.pk]


INVALID = [
    "?older_than=abc",
    "?older_than=99999999",
    f"?older_than={'9' * 17}-1",
    f"?newer_than={'9' * 17}-{'9' * 18}",
    f"?older_than={'9' * 18}-1",
    "?older_than=0-0",
    "?older_than=1-²",
    "?older_than=99999999999999999999999",
    "?newer_than=-1",
    "?newer_than=²",
    "?preset=chess",
    "?result=triumph",
    "?player=" + "a" * 4000,
    "?since=2026-05-10&since=x",
]


@pytest.mark.parametrize(
    "query",
    tiers.parameters(INVALID, fast=INVALID[:5]),
)
def test_invalid_parameters_are_ignored(who: People, visitor: Client, query: str) -> None:
    shelved(who)
    assert visitor.get(ARCHIVE + query).status_code == 200


def follow(client: Client, query: str | None, rel: str) -> list[Any]:
    """Follow the links with this name from `query` on; returns the pages."""
    pages = []
    while query is not None:
        page = client.get(ARCHIVE + query).context["page"]
        pages.append([match.pk for match in page.matches])
        onward = page.older_than if rel == "older_than" else page.newer_than
        query = None if onward is None else f"?{rel}={onward}"
    return pages


def test_pages_neither_skip_nor_repeat_matches(
    who: People, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Even if several matches ended at the same instant."""
    monkeypatch.setattr(finished_matches, "MATCHES_PER_PAGE", 3)
    matches = [shelved(who, NOON + timedelta(days=number // 4)).pk for number in range(10)]
    newest_first = matches[::-1]
    older = follow(visitor, "", "older_than")
    assert older == [newest_first[:3], newest_first[3:6], newest_first[6:9], newest_first[9:]]
    back = follow(visitor, f"?newer_than={cursor(matches[0])}", "newer_than")
    assert back == [newest_first[6:9], newest_first[3:6], newest_first[:3]]


def cursor(match_id: int) -> str:
    """What the list's links say of this match."""
    ended: datetime = Match.objects.values_list("finished_at", flat=True).get(pk=match_id)
    return f"{round(ended.timestamp() * 1_000_000)}-{match_id}"


def test_a_cursor_stays_valid_when_its_match_is_reopened(
    who: People, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finished_matches, "MATCHES_PER_PAGE", 2)
    matches = [shelved(who, NOON + timedelta(number)).pk for number in range(5)]
    first = visitor.get(ARCHIVE).context["page"]
    second = visitor.get(f"{ARCHIVE}?older_than={first.older_than}").context["page"]
    # A loss on time is undone.
    Match.objects.filter(pk__in=(matches[3], matches[2])).update(
        status=Status.RUNNING, finished_at=None, result="", reason=""
    )
    older = visitor.get(f"{ARCHIVE}?older_than={first.older_than}").context["page"]
    assert [match.pk for match in older.matches] == [matches[1], matches[0]]
    newer = visitor.get(f"{ARCHIVE}?newer_than={second.newer_than}").context["page"]
    assert [match.pk for match in newer.matches] == [matches[4], matches[1]]


def test_a_link_from_before_cursors_leads_to_the_first_page(who: People, visitor: Client) -> None:
    newest = shelved(who, NOON + timedelta(1)), shelved(who)
    assert listed(visitor, f"?older_than={newest[0].pk}") == [match.pk for match in newest]


def test_a_search_continues_across_pages(
    who: People, visitor: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finished_matches, "MATCHES_PER_PAGE", 1)
    first, _, _last = shelved(who), shelved(who, result="N"), shelved(who, NOON + timedelta(1))
    page = words(visitor, "?player=Alice&result=south")
    assert (
        f'rel="next" href="?player=Alice&amp;result=south&amp;older_than={cursor(_last.pk)}"'
        in page
    )
    query = f"?player=Alice&result=south&older_than={cursor(_last.pk)}"
    assert listed(visitor, query) == [first.pk]


def test_the_number_of_queries_does_not_grow_with_the_list(who: People) -> None:
    client = browser(who.alice)
    query = "?player=alice&opponent=bob&result=won&preset=lattaque-en&since=2020-01-01"

    def count() -> int:
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get(ARCHIVE + query)
        return len(queries)

    shelved(who)
    listed(client)
    few = count()
    for number in range(60):
        shelved(who, NOON + timedelta(hours=number))
    assert count() == few <= 8


def test_a_page_has_fifty_matches(who: People, visitor: Client) -> None:
    for number in range(51):
        shelved(who, NOON + timedelta(hours=number))
    assert len(listed(visitor)) == 50


def test_a_profile_links_to_the_matches_of_its_player(who: People, visitor: Client) -> None:
    match = shelved(who)
    block = render_to_string("archive/_matches_of.html", {"person": who.alice})
    assert 'href="/archive/?player=Alice"' in block
    assert listed(visitor, "?player=Alice") == [match.pk]


def test_the_archive_refuses_post(visitor: Client, db: None) -> None:
    assert visitor.post(ARCHIVE).status_code == 405
