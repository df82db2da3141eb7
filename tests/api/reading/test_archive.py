"""The archive: the site's search with keyset pages, and records in bulk."""

import json
from collections.abc import Iterator
from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries, DjangoDbBlocker

from games.api.reading import cursors
from games.play.models.match import Match, Status
from games.play.record import match_view
from games.rules.core.text.game_record import write_record
from lib.db_clock import now
from tests import tiers
from tests.api.client import Program, code
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.shared_rows import shared_rows

pytestmark = pytest.mark.postgresql


@pytest.fixture(scope="module")
def laid_out(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[tuple[People, list[Match]]]:
    with shared_rows(django_db_blocker):
        who = match_helpers.people()
        yield who, lay_out(who)


@pytest.fixture
def who(laid_out: tuple[People, list[Match]], db: None) -> People:
    return deepcopy(laid_out[0])


@pytest.fixture
def finished(laid_out: tuple[People, list[Match]], db: None) -> list[Match]:
    return deepcopy(laid_out[1])


def lay_out(who: People) -> list[Match]:
    """Five matches that Bob resigned, the newest first; the middle three ended at one instant."""
    played = [match_helpers.finished_match(who) for _ in range(5)]
    at = now()
    for match, minutes in zip(played, (9, 5, 5, 5, 1), strict=True):
        match.finished_at = at - timedelta(minutes=minutes)
        match.save()
    return played[::-1]


def match_numbers(page: Any) -> list[int]:
    return [match["match"] for match in page["matches"]]


def test_all_pages_have_each_match_once(
    visitor: Program, finished: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cursors, "ROWS_PER_PAGE", 2)
    seen, path = [], "/archive"
    while True:
        page = visitor.read(path)
        seen += match_numbers(page)
        if page["next"] is None:
            break
        path = f"/archive?cursor={page['next']}"
    assert seen == [match.pk for match in finished]


def test_a_cursor_stays_valid_after_its_match_was_reopened(
    visitor: Program, finished: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cursors, "ROWS_PER_PAGE", 2)
    first = visitor.read("/archive")
    last = finished[1]
    # As when an ending on time is undone.
    Match.objects.filter(pk=last.pk).update(status=Status.RUNNING, result="", finished_at=None)
    assert match_numbers(visitor.read(f"/archive?cursor={first['next']}")) == [
        match.pk for match in finished[2:4]
    ]


def test_the_search_works_as_on_the_site(
    visitor: Program, finished: list[Match], who: People
) -> None:
    other = match_helpers.finished_match(who, preset="lattaque-zh")
    everything = {other.pk, *(match.pk for match in finished)}
    assert match_numbers(visitor.read("/archive?preset=lattaque-zh")) == [other.pk]
    assert set(match_numbers(visitor.read("/archive?player=alice&result=won"))) == everything
    assert match_numbers(visitor.read("/archive?player=Bob&result=won")) == []
    assert set(match_numbers(visitor.read("/archive?player=Alice&opponent=Bob"))) == everything
    assert match_numbers(visitor.read("/archive?opponent=Charlie")) == []
    assert match_numbers(visitor.read("/archive?result=north")) == []
    assert match_numbers(visitor.read("/archive?until=2020-01-01")) == []
    assert set(match_numbers(visitor.read("/archive?since=2020-01-01"))) == everything


@pytest.mark.parametrize(
    ("query", "where"),
    [
        ("player=Nobody", "query.player"),
        ("opponent=Nobody", "query.opponent"),
        ("player=a%00b", "query.player"),
        (f"player={'a' * 41}", "query.player"),
        ("preset=chess", "query.preset"),
        ("result=lost", "query.player"),
        ("result=east", "query.result"),
        ("since=20260101", "query.since"),
        ("since=2026-02-30", "query.since"),
        ("until=01/02/2026", "query.until"),
        ("since=2026-01-02&until=2026-01-01", "query.until"),
        ("cursor=12", "query.cursor"),
        ("cursor=matches-1-1", "query.cursor"),
        ("plyer=Alice", "query.plyer"),
    ],
)
@pytest.mark.parametrize("path", ["/archive", "/archive/records"])
def test_a_search_for_an_unknown_name_finds_nothing_and_says_so(
    visitor: Program, who: People, path: str, query: str, where: str
) -> None:
    answer = visitor.get(f"{path}?{query}")
    assert code(answer) == (422, "invalid")
    assert [each["where"] for each in json.loads(answer.content)["errors"]] == [where]


def test_records_are_returned_one_per_line(
    visitor: Program, finished: list[Match], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cursors, "ROWS_PER_PAGE", 3)
    answer = visitor.get("/archive/records?player=Alice")
    assert answer["Content-Type"] == "application/x-ndjson; charset=utf-8"
    lines = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert [line["match"] for line in lines] == [match.pk for match in finished[:3]]
    for line in lines:
        assert line["record"] == write_record(match_view.record(line["match"], None))
        assert "SetupN" in line["record"]
        assert line["finished_at"].endswith("Z")
    link = answer["Link"]
    assert link.startswith("<http") and link.endswith('>; rel="next"')
    path = link[1 : link.index(">")].partition("/api/v1")[2]
    assert "player=Alice" in path
    rest = visitor.get(path)
    assert len(rest.content.splitlines()) == 2
    assert "Link" not in rest


def test_the_query_count_of_a_page_is_constant(
    visitor: Program, finished: list[Match], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        visitor.read("/archive")
    with django_assert_num_queries(5):
        visitor.get("/archive/records")


@pytest.mark.parametrize("name", ["player", "opponent", "preset", "result", "since", "until"])
@pytest.mark.parametrize("value", tiers.parameters(("", "%20"), fast=("%20",)))
def test_an_empty_filter_does_not_list_everything(
    visitor: Program, finished: list[Match], name: str, value: str
) -> None:
    assert code(visitor.get(f"/archive?{name}={value}")) == (422, "invalid")
