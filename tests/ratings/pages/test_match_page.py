"""The match page says what a rated match did to both ratings, or why it does not count."""

import html
import re
from datetime import timedelta

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.play.models.match import Match, Player, Status
from games.ratings.models import Unit, WhyNot
from lib.db_clock import now
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.ratings.results import as_set, count_at, forfeited


def ended(
    match: Match, result: str = "S", reason: str = "resigned", *, rated: bool = True
) -> Match:
    """Let a running match have ended, with enough turns to count."""
    columns = {"status": Status.FINISHED, "result": "S", "reason": reason}
    Match.objects.filter(pk=match.pk).update(**columns, rated=rated, finished_at=now())
    Player.objects.filter(match=match).update(live=False, to_act=False, turns=9, moved_at=now())
    return Match.objects.get(pk=match.pk)


def ratings_line(client: Client, match: Match) -> str:
    text = html.unescape(client.get(f"/match/{match.pk}/").content.decode())
    match_of_text = re.search(r"<dt>Ratings</dt><dd>(.*?)</dd>", re.sub(r"\s+", " ", text))
    return match_of_text[1].strip() if match_of_text else ""


def test_it_shows_how_a_result_changed_both_ratings(client: Client, match: Match) -> None:
    Match.objects.filter(pk=match.pk).update(rated=True)
    assert "counts for both ratings" in client.get(f"/match/{match.pk}/").content.decode()
    assert ratings_line(client, match) == ""
    ended(match)
    assert ratings_line(client, match) == "It counts in a minute."
    count_at(now())
    lines = ["Alice: 1500? to 1662? (+162)", "Bob: 1500? to 1338? (−162)"]
    assert ratings_line(client, match) == "<br>".join(lines)


def test_a_friendly_match_shows_no_ratings_and_costs_no_query(client: Client, match: Match) -> None:
    page = f"/match/{match.pk}/"
    ended(match, rated=False)
    client.get(page)
    with CaptureQueriesContext(connection) as friendly:
        client.get(page)
    assert ratings_line(client, match) == ""
    Match.objects.update(rated=True)
    with CaptureQueriesContext(connection) as rated:
        client.get(page)
    assert len(rated) == len(friendly) + 1


def test_it_says_when_a_result_will_count(client: Client, match: Match, who: People) -> None:
    ended(match, reason="time")
    final = timezone.localtime(now() + timedelta(days=2))
    assert ratings_line(client, match).startswith("It counts from ")
    assert str(final.day) in ratings_line(client, match)
    ended(match)
    as_set(Match.objects.get(pk=match.pk), match_helpers.running_match(who))
    assert ratings_line(client, match) == "It counts when both matches of the set are over."


def test_it_says_why_a_result_does_not_count(client: Client, match: Match) -> None:
    forfeited(ended(match), "0")
    count_at(now())
    assert ratings_line(client, match) == "Not counted: it ended without a result."


def test_only_the_players_read_why_a_moderator_took_it_out(
    client: Client, alice_client: Client, bob_client: Client, match: Match
) -> None:
    ended(match)
    count_at(now())
    Unit.objects.update(taken_out=True, why=WhyNot.STAFF, taken_out_reason="A gift.")
    taken_out = "Not counted: a moderator has taken it out of the ratings."
    assert ratings_line(client, match) == taken_out
    for player in (alice_client, bob_client):
        assert ratings_line(player, match) == f"{taken_out} The moderator's reason: A gift."


def test_the_rating_of_a_closed_account_is_not_shown(
    client: Client, match: Match, bob: User
) -> None:
    ended(match)
    count_at(now())
    User.objects.filter(pk=bob.pk).update(username="former-player-1")
    assert ratings_line(client, match) == "Alice: 1500? to 1662? (+162)"
