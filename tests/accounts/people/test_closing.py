"""An account that is closed later: nothing new, undone by a click, closed with the last match."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from accounts.people import closing
from accounts.people.erasure import erase
from config.personal_data.closing import close_due
from games.lobby import commands as lobby
from games.lobby.models import Invitation, InvitationKind, InvitationStatus
from games.outbox.delivery import dispatcher
from games.people.models import Block, Reliability
from games.people.standing.limits import Leaving
from games.play.commands import finality
from games.play.models.match import Match, Status
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import frozen_at, now
from tests.accounts.conftest import PASSWORD, sign_in
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

TERMS = Terms("lattaque-en")
SEAT = InvitationKind.SEAT


def settle() -> None:
    """What the workers do after a match has ended."""
    finality.sweep()
    while dispatcher.drain():
        pass


def is_closed(user: User) -> bool:
    reloaded: User = User.objects.get(pk=user.pk)
    return reloaded.is_former


def leaving(user: User) -> User:
    assert not closing.close_later(user)
    reloaded: User = User.objects.get(pk=user.pk)
    return reloaded


@pytest.fixture
def match(who: People) -> Match:
    return match_helpers.running_match(who, "a4-a5", "j7-j6")


def test_without_matches_it_is_closed_at_once(who: People) -> None:
    assert closing.close_later(who.alice)
    assert is_closed(who.alice)


def test_it_is_closed_with_the_last_match_and_not_with_an_earlier_one(
    who: People, match: Match
) -> None:
    other = match_helpers.running_match(who, "a4-a5", "j7-j6")
    leaving(who.alice)
    match_helpers.resign(match, Seat.NORTH)
    settle()
    assert not is_closed(who.alice)
    match_helpers.resign(other, Seat.SOUTH)
    settle()
    assert is_closed(who.alice) and not is_closed(who.bob)


def test_it_waits_until_a_match_that_ended_on_time_is_final(who: People, match: Match) -> None:
    leaving(who.alice)
    at = now()
    Match.objects.filter(pk=match.pk).update(
        status=Status.FINISHED, result="S", reason="time", finished_at=at
    )
    match.players.update(live=False, to_act=False)
    settle()
    assert not closing.close_if_over(who.alice.pk)
    with frozen_at(at + timedelta(hours=49)):
        settle()
    assert is_closed(who.alice)


def test_nothing_new_can_be_started(who: People, match: Match) -> None:
    seat = lobby.offer(who.charlie, TERMS, kind=SEAT)
    alice = leaving(who.alice)
    for act in (
        lambda: lobby.offer(alice, TERMS, kind=SEAT),
        lambda: lobby.accept(seat.pk, alice),
    ):
        with pytest.raises(Leaving):
            act()
    with pytest.raises(Refusal):
        lobby.offer(who.charlie, TERMS, kind=InvitationKind.CHALLENGE, guest=alice)
    assert Match.objects.count() == 1


def test_open_offers_end(who: People, match: Match) -> None:
    seat = lobby.offer(who.alice, TERMS, kind=SEAT)
    challenge = lobby.offer(who.bob, TERMS, kind=InvitationKind.CHALLENGE, guest=who.alice)
    leaving(who.alice)
    statuses = Invitation.objects.in_bulk([seat.pk, challenge.pk])
    assert statuses[seat.pk].status == InvitationStatus.WITHDRAWN
    assert statuses[challenge.pk].status == InvitationStatus.DECLINED


def test_a_second_request_does_not_move_the_last_day(who: People, match: Match) -> None:
    at = now()
    with frozen_at(at):
        leaving(who.alice)
    with frozen_at(at + timedelta(days=99)):
        assert leaving(who.alice).closes_at == at + closing.LONGEST


def test_after_a_year_it_is_closed_and_the_match_resigned(who: People, match: Match) -> None:
    at = now()
    with frozen_at(at):
        leaving(who.alice)
    with frozen_at(at + timedelta(days=364)):
        assert close_due() == 0
    with frozen_at(at + timedelta(days=366)):
        assert close_due() == 1
        match.refresh_from_db()
        assert (match.status, match.result) == (Status.FINISHED, "N")
        assert close_due() == 0
    assert is_closed(who.alice)


def test_open_accounts_cost_no_query(who: People, match: Match) -> None:
    with CaptureQueriesContext(connection) as queries:
        close_due()
    assert len(queries) <= 2  # the database's clock, and an index without rows


def test_the_page_asks_when_to_close_and_a_click_keeps_the_account(
    client: Client, ann: User, who: People
) -> None:
    match = match_helpers.running_match(People(ann, who.bob, who.charlie), "a4-a5", "j7-j6")
    sign_in(client, "Annabel")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert 'name="when"' in client.get("/people/leave/").content.decode()
    answer = client.post("/people/leave/", {"handle": "Annabel", "when": "later"})
    assert answer["Location"] == "/people/leave/"
    page = client.get("/").content.decode()
    assert "Your account will be closed when your matches have ended" in page
    assert client.get("/people/leave/stay/").status_code == 405
    assert client.post("/people/leave/stay/")["Location"] == "/people/preferences/"
    assert "will be closed" not in client.get("/").content.decode()
    match_helpers.resign(match, Seat.SOUTH)
    settle()
    assert not is_closed(ann)


def test_without_matches_the_page_does_not_ask_when(client: Client, ann: User) -> None:
    sign_in(client, "Annabel")
    client.post("/account/reauthenticate/", {"password": PASSWORD})
    assert 'name="when"' not in client.get("/people/leave/").content.decode()


def test_other_users_do_not_see_that_an_account_will_be_closed(who: People, match: Match) -> None:
    browser = client_of(who.bob)
    pages = ("/", f"/match/{match.pk}/", "/people/profile/Charlie/")
    at = now()
    with frozen_at(at):
        before = [browser.get(page).status_code for page in pages]
        leaving(who.alice)
        for page, status in zip(pages, before, strict=True):
            response = browser.get(page)
            assert response.status_code == status
            assert "will be closed" not in response.content.decode()


def test_erasure_ends_blocks_both_ways_reliability_and_standing_seats(
    who: People, match: Match
) -> None:
    at = now()
    for owner, blocked in ((who.alice, who.bob), (who.charlie, who.alice), (who.bob, who.charlie)):
        Block.objects.create(owner=owner, blocked=blocked, made_at=at)
    Reliability.objects.create(user=who.alice)
    seat = lobby.offer(who.alice, TERMS, kind=SEAT, note="Come and play")
    Invitation.objects.filter(pk=seat.pk).update(repeats=5)
    erase(who.alice)
    assert [row.owner for row in Block.objects.all()] == [who.bob]
    assert not Reliability.objects.filter(user=who.alice).exists()
    seat.refresh_from_db()
    assert (seat.status, seat.repeats, seat.note) == (InvitationStatus.WITHDRAWN, 0, "")
