"""Summary of an open match: when it exists, its numbers, moments, battles and chart."""

import html
import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.archive.summary.moments import moments
from games.archive.summary.walk import walk
from games.play.commands import deadlines, moderation
from games.play.models.match import Match
from games.play.record import match_view
from games.rules.core.basics.pieces import Seat
from games.rules.core.text.notation import write_move
from lib.db_clock import frozen_at, now
from tests import tiers
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak

# Alice's scout attacks the marshal and is lost; both sides move to and fro; her miner attacks.
COURSE = ("a4xa7", "j7-j6", "b4-b5", "j6-j7", "b5-b4", "j7-j6")


def fetched(match: Match, what: str = "summary/") -> tuple[int, str]:
    answer = Client().get(f"/archive/{match.pk}/{what}")
    return answer.status_code, answer.content.decode()


def words(page: str) -> str:
    return html.unescape(re.sub(r"\s+", " ", re.sub("<[^>]+>", " ", page)))


def any_move(match: Match) -> str:
    """A legal move of the player on turn, an attack if there is one."""
    match.refresh_from_db()
    mover = match.players.select_related("user").get(to_act=True).user
    legal = match_view.view_match(match.pk, mover).observation.moves
    texts = [write_move(match.rules, move) for move in legal]
    return next((text for text in texts if "x" in text), texts[0])


@pytest.mark.parametrize("what", ["summary/", "chart.svg"])
def test_there_is_no_summary_before_the_match_is_open(who: People, what: str) -> None:
    match = match_helpers.running_match(who, *COURSE)
    assert fetched(match, what)[0] == 404
    with frozen_at(now() + timedelta(days=4)):
        deadlines.sweep()
        assert fetched(match, what)[0] == 404
    with frozen_at(now() + timedelta(days=6, hours=1)):
        assert fetched(match, what)[0] == 200
    assert fetched(Match(pk=999_999), what)[0] == 404


@pytest.mark.parametrize("what", ["summary/", "chart.svg"])
def test_an_annulled_match_has_no_summary(who: People, what: str) -> None:
    match = match_helpers.running_match(who, *COURSE)
    moderation.void(match.pk, "A mistake.")
    assert fetched(match, what)[0] == 404


def test_a_summary_counts_pieces_ranks_and_battles(who: People) -> None:
    walked = walk(match_helpers.finished_match(who, *COURSE).pk)
    assert [step.turn for step in walked.steps] == list(range(7))
    assert (walked.steps[0].left, walked.steps[0].known) == ((36, 36), (0, 0))
    # The scout fell; both sides saw both ranks, but the scout is gone.
    assert (walked.steps[1].left, walked.steps[1].known) == ((35, 36), (1, 0))
    assert [step.ply for step in walked.battles] == [1]


def test_moments_follow_fixed_rules(who: People) -> None:
    walked = walk(match_helpers.finished_match(who, *COURSE).pk)
    named = {moment.name: (moment.text, moment.ply) for moment in moments(walked)}
    text, ply = named["First battle"]
    assert text.startswith("Alice attacked a7 from a4: Scout against Marshal.") and ply == 1
    assert named["Dearest loss"] == ("Alice lost this piece on move 1: Scout.", 1)
    assert named["Most battles won"] == (
        "Bob's piece that began on a7 won 1 battle: Marshal.",
        1,
    )
    assert named["Longest quiet stretch"] == ("No battle from move 1 to move 3.", 2)
    assert "Last blow" not in named


def test_the_page_lists_battles_with_links_and_a_table(who: People) -> None:
    match = match_helpers.finished_match(who, *COURSE)
    status, page = fetched(match)
    assert status == 200
    assert f'<a href="/archive/{match.pk}/?ply=1">Move 1</a>' in page
    assert f'src="/archive/{match.pk}/chart.svg"' in page
    assert "Every tenth move as a table" in words(page)
    assert "Alice won: the other side resigned." in words(page)
    replay = Client().get(f"/archive/{match.pk}/").content.decode()
    assert f'href="/archive/{match.pk}/summary/"' in replay


@pytest.mark.parametrize(
    "preset",
    tiers.parameters(["assaut", "domino", "tactique", "lattaque-zh"], fast=("assaut", "domino")),
)
def test_every_game_has_a_summary(who: People, preset: str) -> None:
    match = match_helpers.running_match(who, preset=preset)
    for _ in range(8):
        match_helpers.play(match, any_move(match))
    match_helpers.resign(match, Seat.NORTH)
    assert fetched(match)[0] == fetched(match, "chart.svg")[0] == 200


def test_the_chart_is_the_same_for_all_and_cached(who: People, alice_client: Client) -> None:
    match = match_helpers.finished_match(who, *COURSE)
    path = f"/archive/{match.pk}/chart.svg"
    answer = alice_client.get(path, headers={"Accept-Language": "de"})
    assert answer.content == Client().get(path).content
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert "public" in answer.headers["Cache-Control"] and "Cookie" not in answer.headers.get(
        "Vary", ""
    )
    assert answer.content.startswith(b"<svg") and b"<path" in answer.content


@pytest.mark.parametrize("rounds", tiers.parameters((4, 20), fast=(4,)))
def test_longer_matches_cost_no_more_queries(who: People, rounds: int) -> None:
    def queries(match: Match) -> int:
        fetched(match)
        with CaptureQueriesContext(connection) as captured:
            assert fetched(match)[0] == 200
        return len(captured)

    short = match_helpers.finished_match(who, *COURSE)
    long = match_helpers.finished_match(
        who, *COURSE, *("b4-b5", "j6-j7", "b5-b4", "j7-j6") * rounds
    )
    assert queries(long) == queries(short)
