"""Matches: state, lists and their pages, plies, and records."""

from datetime import timedelta
from typing import get_args

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.api.reading import cursors
from games.api.schemas import boards
from games.play.commands import endings
from games.play.models.kind import PlyKind
from games.play.models.match import APPEAL_PERIOD, Match, Status
from games.play.record import match_view
from games.rules.core.basics.pieces import Seat
from games.rules.core.text.game_record import write_record
from lib.db_clock import frozen_at, now
from tests.api.client import Program, code
from tests.play import match_helpers, staff_looks
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak


def test_a_match_is_the_same_for_all_except_the_own_seat(
    alice_program: Program, bob_program: Program, visitor: Program, match: Match
) -> None:
    seen = [each.read(f"/matches/{match.pk}") for each in (alice_program, bob_program, visitor)]
    assert [each.pop("seat") for each in seen] == ["S", "N", None]
    assert seen[0] == seen[1] == seen[2]
    assert seen[0]["players"] == [
        {
            "seat": "S",
            "name": "Alice",
            "kind": "person",
            "to_act": True,
            "deadline": seen[0]["players"][0]["deadline"],
        },
        {"seat": "N", "name": "Bob", "kind": "person", "to_act": False, "deadline": None},
    ]
    assert seen[0]["players"][0]["deadline"].endswith("Z")
    assert (seen[0]["status"], seen[0]["ply"], seen[0]["opening"]) == ("running", 2, 2)
    assert (seen[0]["pace"], seen[0]["setup_days"]) == ("3d", 5)
    assert seen[0]["opens_at"] is None


def test_offers_and_endings_are_shown(
    alice_program: Program, match: Match, alice: User, bob: User
) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    endings.offer_draw(match.pk, alice)
    assert alice_program.read(f"/matches/{match.pk}")["draw_offer"] == "S"
    endings.accept_draw(match.pk, bob)
    over = alice_program.read(f"/matches/{match.pk}")
    assert (over["status"], over["result"], over["reason"]) == ("finished", "draw", "agreed")
    assert over["opens_at"] == over["finished_at"]


def test_seats_have_the_letters_of_the_game(visitor: Program, who: People) -> None:
    assaut = match_helpers.running_match(who, preset="assaut")
    seen = visitor.read(f"/matches/{assaut.pk}")
    assert [each["seat"] for each in seen["players"]] == ["S", "O"]


def test_own_matches_come_newest_first_page_by_page(
    alice_program: Program, visitor: Program, who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cursors, "ROWS_PER_PAGE", 2)
    numbers = [match_helpers.new_match(who).pk for _ in range(5)]
    others = match_helpers.new_match(People(who.bob, who.charlie, who.alice)).pk
    path, seen = "/matches", []
    while True:
        page = alice_program.read(path)
        seen += [match["match"] for match in page["matches"]]
        assert len(page["matches"]) <= 2
        if page["next"] is None:
            break
        path = f"/matches?cursor={page['next']}"
    assert seen == numbers[::-1]
    assert others not in seen
    assert code(visitor.get("/matches")) == (401, "unauthorized")


def test_matches_that_end_between_pages_are_listed_once(
    alice_program: Program, who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cursors, "ROWS_PER_PAGE", 2)
    numbers = [match_helpers.new_match(who).pk for _ in range(6)]
    first = alice_program.read("/matches?state=live")
    # The last of the page, and one on the next page.
    for number in (numbers[4], numbers[2]):
        endings.abort(number, who.alice)
    second = alice_program.read(f"/matches?state=live&cursor={first['next']}")
    listed = [match["match"] for page in (first, second) for match in page["matches"]]
    assert listed == [numbers[5], numbers[4], numbers[3], numbers[1]]
    over = alice_program.read("/matches?state=finished")
    assert [match["match"] for match in over["matches"]] == [numbers[4], numbers[2]]


FOREIGN = [
    *("", "1", "x", "matches", "matches-1", "matches-1-", "matches-1-x", "matches-1-1-1", "%00"),
    *("lobby-1-1", "archive-1-1", "matches--1-1", "matches-1-1%0a", "matches-1-%D9%A1"),
    *(f"matches-1-{'9' * 19}", f"matches-{'9' * 18}-1", "a" * 5_000),
]


@pytest.mark.parametrize("cursor", FOREIGN, ids=lambda cursor: cursor[:20])
def test_an_invented_cursor_is_refused(alice_program: Program, cursor: str) -> None:
    assert code(alice_program.get(f"/matches?cursor={cursor}")) == (422, "invalid")


@pytest.mark.parametrize("query", ["state=over", "state=live&state=live", "page=2", "State=live"])
def test_unknown_parameters_and_values_are_refused(alice_program: Program, query: str) -> None:
    assert code(alice_program.get(f"/matches?{query}")) == (422, "invalid")


def test_plies_are_the_public_record(
    visitor: Program, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6", "e4xe7")
    number = match.pk
    plies = visitor.read(f"/matches/{number}/plies")
    assert (plies["match"], plies["next"]) == (number, None)
    assert [each["ply"] for each in plies["plies"]] == list(range(6))
    assert [each["kind"] for each in plies["plies"]] == ["begin", "setup", "setup", *["move"] * 3]
    assert [each["seat"] for each in plies["plies"]] == [None, "S", "N", "S", "N", "S"]
    assert [each["text"] for each in plies["plies"][:5]] == ["", "", "", "a4-a5", "j7-j6"]
    monkeypatch.setattr("games.api.reading.matches.PLIES_PER_PAGE", 2)
    page = visitor.read(f"/matches/{number}/plies")
    assert ([each["ply"] for each in page["plies"]], page["next"]) == ([0, 1], 1)
    page = visitor.read(f"/matches/{number}/plies?after=3")
    assert ([each["ply"] for each in page["plies"]], page["next"]) == ([4, 5], None)
    assert visitor.read(f"/matches/{number}/plies?after=99")["plies"] == []


def test_every_kind_of_ply_is_in_the_document() -> None:
    assert set(get_args(boards.Kind)) == set(PlyKind.values)


def test_a_look_of_staff_is_a_ply_like_others(visitor: Program, match: Match) -> None:
    staff_looks.looked(match)
    match_helpers.play(match, "a4-a5")
    number = match.pk
    kinds = [ply["kind"] for ply in visitor.read(f"/matches/{number}/plies")["plies"]]
    assert kinds[-2:] == ["look", "move"]
    for part in ("", "/board", "/board?ply=3"):
        assert visitor.get(f"/matches/{number}{part}").status_code == 200, part


@pytest.mark.parametrize(
    "after", ["", "-1", "1.0", "+1", "%201", "1_0", "x", "9" * 19, "9" * 5_000, "%D9%A1", "1%00"]
)
def test_a_number_consists_of_digits(visitor: Program, match: Match, after: str) -> None:
    answer = visitor.get(f"/matches/{match.pk}/plies?after={after}")
    assert code(answer) == (422, "invalid")
    assert "query.after" in answer.content.decode()


def test_the_record_contains_the_own_set_up_until_the_match_is_open(
    alice_program: Program, bob_program: Program, visitor: Program, match: Match, alice: User
) -> None:
    path = f"/matches/{match.pk}/record"
    records = {
        name: each.get(path).content.decode()
        for name, each in (("hers", alice_program), ("his", bob_program), ("visitor", visitor))
    }
    assert "SetupS" in records["hers"] and "SetupN" not in records["hers"]
    assert "SetupN" in records["his"] and "SetupS" not in records["his"]
    assert "Setup" not in records["visitor"]
    assert records["hers"] == write_record(match_view.record(match.pk, alice))
    match_helpers.play(match, "a4-a5", "j7-j6", "a5-a6", "j6-j5")
    endings.resign(match.pk, alice)
    text = visitor.get(path)
    assert text["Content-Type"] == "text/plain; charset=utf-8"
    assert b"SetupS" in text.content and b"SetupN" in text.content


def test_a_loss_on_time_is_open_only_after_the_appeal_period(
    visitor: Program, match: Match
) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    late = now() + timedelta(days=4)
    with frozen_at(late):
        endings.claim_time(match.pk)
        seen = visitor.read(f"/matches/{match.pk}")
        assert seen["opens_at"] > seen["finished_at"]
        assert b"SetupN" not in visitor.get(f"/matches/{match.pk}/record").content
    with frozen_at(late + APPEAL_PERIOD):
        assert b"SetupN" in visitor.get(f"/matches/{match.pk}/record").content


@pytest.mark.parametrize(
    ("path", "queries"),
    [("", 1), ("/plies", 2), ("/record", 3), ("/board", 2)],
)
def test_the_query_count_of_a_match_does_not_grow_with_its_length(
    visitor: Program,
    alice_program: Program,
    match: Match,
    django_assert_num_queries: DjangoAssertNumQueries,
    path: str,
    queries: int,
) -> None:
    match_helpers.play(match, *["a4-a5", "j7-j6", "a5-a4", "j6-j7"] * 3)
    where = f"/matches/{match.pk}{path}"
    alice_program.get(where)
    with django_assert_num_queries(queries):
        visitor.get(where)
    with django_assert_num_queries(queries + 1):
        alice_program.get(where)


def test_the_query_count_of_own_matches_is_constant(
    alice_program: Program, who: People, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(4):
        match_helpers.new_match(who)
    alice_program.get("/matches")
    with django_assert_num_queries(3):
        assert len(alice_program.read("/matches?state=live")["matches"]) == 4
    with django_assert_num_queries(4):
        assert len(alice_program.read("/matches")["matches"]) == 4


def test_status_is_setup_before_both_set_ups(alice_program: Program, who: People) -> None:
    match = match_helpers.new_match(who)
    assert alice_program.read(f"/matches/{match.pk}")["status"] == Status.SETUP
    match_helpers.send_setup(match, Seat.NORTH)
    seen = alice_program.read(f"/matches/{match.pk}")
    assert [each["to_act"] for each in seen["players"]] == [True, False]
    assert seen["ply"] == 1
