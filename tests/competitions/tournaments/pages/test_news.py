"""What the page of a tournament says of its course: later dates, what is left, who has won."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.competitions.tournaments.commands import organising, settling, withdrawing
from games.competitions.tournaments.commands.drawing import MORE_TIME
from games.competitions.tournaments.models import Lot, State
from games.play.models.match import Match, Player, Status
from lib.db_clock import frozen_at
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import after
from tests.play.forms import client_of

pytestmark = pytest.mark.django_db


def page(client: Client, path: str) -> str:
    answer = client.get(path)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


def test_everybody_reads_why_dates_were_moved(client: Client) -> None:
    made = playing.tournament()
    organising.prolong(made.pk, MORE_TIME, "Holidays <3.")
    assert "for this reason: Holidays &lt;3." in page(client, made.get_absolute_url())
    drawn = playing.drawn(playing.members(3))
    organising.prolong(drawn.pk, MORE_TIME, "A storm.")
    assert "for this reason: A storm." in page(client, drawn.get_absolute_url())


def test_pairings_that_have_not_begun_are_left_too() -> None:
    users = playing.members(5)
    made = playing.drawn(users, at_once=1)
    # One of the five has no match yet: they sit out the first round.
    for user in users:
        running = Player.objects.filter(user=user, live=True).count()
        with frozen_at(after(1)):
            own = page(client_of(user), made.get_absolute_url())
        assert own.count("Not begun yet") == 4 - running
        assert "last date: 8 Jan 2027" in own
    with frozen_at(after(2)):
        withdrawing.withdraw(made.pk, users[0])
        assert "Not begun yet" not in page(client_of(users[0]), made.get_absolute_url())


def test_the_winner_of_a_final_is_named_everywhere(client: Client) -> None:
    users = playing.members(6)
    made = playing.drawn(users, group_size=3, stages=2, max_entries=6)
    assert "Winners" not in page(client, made.get_absolute_url())
    for day in (1, 2):
        playing.end_all(made, after(day))
        playing.tick(after(day))
    made.refresh_from_db()
    assert made.state == State.FINISHED
    (winner,) = [lot.entry.user for lot in Lot.objects.filter(won=True)]
    link = f'<a href="/people/profile/{winner}/">{winner}</a>'
    assert f"<dt>Final</dt> <dd>{link}</dd>" in page(client, made.get_absolute_url())
    assert f"Won by {link}" in page(client, "/tournaments/")


def test_each_group_of_a_single_stage_has_winners_and_shared_places_share_it(
    client: Client,
) -> None:
    users = playing.members(6)
    made = playing.drawn(users, group_size=3)
    playing.end_all(made, after(1), winner=lambda users: None)
    playing.tick(after(1))
    assert Lot.objects.filter(won=True).count() == 6
    seen = page(client, made.get_absolute_url())
    assert "<dt>Group 1</dt>" in seen and "<dt>Group 2</dt>" in seen
    # An annulment later changes the numbers, and so who is first.
    match = Match.objects.filter(event=made.event_key).order_by("pk").first()
    assert match is not None
    seat = match.rules.seat_letters[0]
    Match.objects.filter(pk=match.pk).update(result=seat, status=Status.FINISHED)
    match.refresh_from_db()
    settling.settle(match)
    assert Lot.objects.filter(won=True).count() == 4


def test_the_list_of_tournaments_reads_all_winners_at_once(client: Client) -> None:
    users = playing.members(3)
    counts: list[int] = []
    for _ in range(2):
        made = playing.drawn(users, rated=False)
        playing.end_all(made, after(1))
        playing.tick(after(1))
        with CaptureQueriesContext(connection) as queries:
            assert page(client, "/tournaments/").count("Won by") == len(counts) + 1
        counts.append(len(queries))
    assert counts[0] == counts[1]
