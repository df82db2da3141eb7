"""Blocks: made and removed, what they close, and what the lower rooms know of them."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime, timedelta
from unittest.mock import patch

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.db.models import QuerySet
from django.test import Client

from accounts.models import User
from accounts.people.erasure import erase
from games.bots import levels
from games.house import house_accounts
from games.lobby import commands, refusals
from games.lobby.models import Invitation, InvitationKind, InvitationStatus
from games.outbox.delivery import dispatcher
from games.people.blocking import blocks
from games.people.models import Block, Reliability
from games.people.standing import limits
from games.people.standing.limits import OverTheCap
from games.play.models.match import Match
from games.play.terms import Terms
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import now
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]
TERMS = Terms("lattaque-en", setup_pace="5d")


def signed_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def page(user: User, address: str) -> str:
    return signed_in(user).get(address).content.decode()


def challenge(owner: User, guest: User) -> Invitation:
    return commands.offer(owner, TERMS, kind=InvitationKind.CHALLENGE, guest=guest)


def status(invitation: Invitation) -> str:
    return str(Invitation.objects.values_list("status", flat=True).get(pk=invitation.pk))


def words(email: EmailMessage) -> tuple[str, str]:
    """Subject and body, without the address to unsubscribe, which is signed each time."""
    return str(email.subject), str(email.body).rpartition("\n\n--")[0]


# --- made and lifted


def test_a_block_works_both_ways_and_only_its_owner_sees_it(who: People) -> None:
    blocks.block(who.alice, who.bob)
    assert blocks.is_blocked(who.alice.pk, who.bob.pk)
    assert blocks.is_blocked(who.bob.pk, who.alice.pk)
    assert blocks.has_blocked(who.alice.pk, who.bob.pk)
    assert not blocks.has_blocked(who.bob.pk, who.alice.pk)
    assert [row.blocked for row in blocks.blocked_by(who.alice.pk)] == [who.bob]
    assert not blocks.blocked_by(who.bob.pk)


def test_blocking_or_unblocking_twice_counts_once(who: People) -> None:
    for _ in range(2):
        blocks.block(who.alice, who.bob)
    assert Block.objects.count() == 1
    for _ in range(2):
        blocks.unblock(who.alice, who.bob)
    assert not Block.objects.exists()


def test_unblocking_leaves_the_block_of_the_other(who: People) -> None:
    blocks.block(who.alice, who.bob)
    blocks.block(who.bob, who.alice)
    blocks.unblock(who.alice, who.bob)
    assert blocks.is_blocked(who.alice.pk, who.bob.pk)


def test_users_cannot_block_themselves_or_the_computer(who: People) -> None:
    house = house_accounts.opponent(levels.RECRUIT.name)
    for other in (who.alice, house):
        with pytest.raises(blocks.BlockRefusal):
            blocks.block(who.alice, other)
    assert not Block.objects.exists()


def test_a_block_list_has_a_limit(who: People) -> None:
    with patch.object(blocks, "MAX_BLOCKS", 1):
        blocks.block(who.alice, who.bob)
        blocks.block(who.alice, who.bob)
        with pytest.raises(blocks.BlockRefusal, match="the limit"):
            blocks.block(who.alice, who.charlie)
        # Nobody uses up the list of somebody else.
        blocks.block(who.charlie, who.bob)
    assert blocks.MAX_BLOCKS == 200


def test_lists_query_blocks_once(
    who: People, django_assert_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    blocks.block(who.alice, who.bob)
    blocks.block(who.charlie, who.alice)
    for person in (who.alice, who.bob, who.charlie):
        commands.offer(person, TERMS, kind=InvitationKind.SEAT)

    def met_by(reader: User) -> QuerySet[Invitation, str]:
        seats = Invitation.objects.filter(blocks.not_apart(reader.pk, "owner"))
        return seats.values_list("owner__username", flat=True)

    with django_assert_num_queries(1):
        assert list(met_by(who.alice)) == ["Alice"]
    assert set(met_by(who.bob)) == {"Bob", "Charlie"}


def test_closing_an_account_deletes_its_blocks_both_ways(who: People) -> None:
    blocks.block(who.alice, who.bob)
    blocks.block(who.bob, who.alice)
    blocks.block(who.charlie, who.alice)
    blocks.block(who.charlie, who.bob)
    for user in (who.alice, who.bob):
        Reliability.objects.create(user=user)
    erase(User.objects.get(pk=who.alice.pk))
    assert list(Block.objects.values_list("owner", "blocked")) == [(who.charlie.pk, who.bob.pk)]
    assert list(Reliability.objects.values_list("user", flat=True)) == [who.bob.pk]


# --- what it closes


def test_own_challenges_are_withdrawn_and_those_of_the_blocked_declined(who: People) -> None:
    own_challenges, theirs = challenge(who.alice, who.bob), challenge(who.bob, who.alice)
    others = [challenge(who.alice, who.charlie), challenge(who.charlie, who.bob)]
    blocks.block(who.alice, who.bob)
    assert status(own_challenges) == InvitationStatus.WITHDRAWN
    assert status(theirs) == InvitationStatus.DECLINED
    assert [status(each) for each in others] == [InvitationStatus.OPEN] * 2


def test_the_blocked_player_only_learns_that_a_challenge_was_declined(who: People) -> None:
    challenge(who.alice, who.bob)
    challenge(who.bob, who.alice)
    blocks.block(who.alice, who.bob)
    mail.outbox.clear()
    dispatcher.drain()
    (email,) = mail.outbox
    assert email.to == [who.bob.email]
    blocked = words(email)
    Block.objects.all().delete()
    challenge(who.alice, who.bob)
    theirs = challenge(who.bob, who.alice)
    commands.withdraw(theirs.pk - 1, who.alice)
    commands.decline(theirs.pk, who.alice)
    mail.outbox.clear()
    dispatcher.drain()
    (email,) = mail.outbox
    subject, body = blocked
    assert words(email) == (subject.replace(str(theirs.pk - 2), str(theirs.pk)), body)


def test_no_challenge_waits_on_the_home_page(who: People) -> None:
    challenge(who.bob, who.alice)
    assert "A challenge is waiting" in page(who.alice, "/")
    blocks.block(who.bob, who.alice)
    assert "A challenge is waiting" not in page(who.alice, "/")


def test_an_offered_rematch_is_closed_and_none_is_made(who: People) -> None:
    match = match_helpers.decided_match(who)
    offered = commands.rematch(match.pk, who.bob)
    blocks.block(who.alice, who.bob)
    assert status(offered) == InvitationStatus.DECLINED
    for user in (who.alice, who.bob):
        with pytest.raises(refusals.InvitationRefusal, match="does not take challenges"):
            commands.rematch(match.pk, user)


def test_running_matches_and_pages_of_accepted_seats_stay(who: People) -> None:
    seat = commands.offer(who.alice, TERMS, kind=InvitationKind.SEAT)
    match = commands.accept(seat.pk, who.bob)
    blocks.block(who.alice, who.bob)
    assert Match.objects.get(pk=match.pk).is_live
    for user in (who.alice, who.bob):
        assert signed_in(user).get(f"/match/{match.pk}/").status_code == 200
        assert signed_in(user).get(f"/lobby/{seat.pk}/").status_code == 200
    assert commands.accept(seat.pk, who.bob) == match
    assert signed_in(who.charlie).get(f"/lobby/{seat.pk}/").status_code == 200


def test_visitors_see_what_everybody_sees(who: People) -> None:
    seat = commands.offer(who.alice, TERMS, kind=InvitationKind.SEAT)
    blocks.block(who.alice, who.bob)
    assert signed_in(who.bob).get(f"/lobby/{seat.pk}/").status_code == 404
    assert Client().get(f"/lobby/{seat.pk}/").status_code == 200


def test_after_unblocking_everything_is_open_again(who: People) -> None:
    seat = commands.offer(who.alice, TERMS, kind=InvitationKind.SEAT)
    blocks.block(who.alice, who.bob)
    blocks.unblock(who.alice, who.bob)
    assert signed_in(who.bob).get(f"/lobby/{seat.pk}/").status_code == 200
    challenge(who.bob, who.alice)


# --- refusals for the challenger's own reasons come first


def lacks_nothing(who: People) -> None:
    """The challenger may challenge."""


def takes_none(who: People) -> None:
    User.objects.filter(pk=who.bob.pk).update(no_challenges=True)


def is_blocked(who: People) -> None:
    blocks.block(who.bob, who.alice)


def barring(user: User) -> Callable[[int], datetime | None]:
    return lambda user_id: now() if user_id == user.pk else None


@pytest.mark.parametrize("guest", [lacks_nothing, takes_none, is_blocked])
def test_the_challengers_own_refusals_come_first(
    who: People, guest: Callable[[People], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    guest(who)
    bob = User.objects.get(pk=who.bob.pk)

    def refusal(terms: Terms) -> str:
        with pytest.raises(Refusal) as refused:
            commands.offer(who.alice, terms, kind=InvitationKind.CHALLENGE, guest=bob)
        return str(refused.value)

    rated = replace(TERMS, rated=True)
    with monkeypatch.context() as patched:
        patched.setattr(limits, "FIRST_MATCHES", 0)
        with pytest.raises(OverTheCap):
            commands.offer(who.alice, TERMS, kind=InvitationKind.CHALLENGE, guest=bob)
    with monkeypatch.context() as patched:
        patched.setattr(limits, "barred_since", barring(who.alice))
        assert "resigned before your second move" in refusal(rated)
    with monkeypatch.context() as patched:
        patched.setattr(commands, "MAX_OPEN_INVITATIONS", 0)
        assert "open invitations, which is the limit" in refusal(TERMS)
    with monkeypatch.context() as patched:
        patched.setattr(commands, "MAX_INVITATIONS_A_DAY", 0)
        assert "invitations within a day" in refusal(TERMS)
    assert "needs a time limit" in refusal(replace(rated, pace="none"))


@pytest.mark.parametrize("guest", [takes_none, is_blocked])
def test_missing_conditions_are_not_named_if_the_guest_takes_no_challenges(
    who: People, guest: Callable[[People], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    guest(who)
    monkeypatch.setattr(limits, "barred_since", barring(who.bob))
    bob, rated = User.objects.get(pk=who.bob.pk), replace(TERMS, rated=True)
    with pytest.raises(refusals.InvitationRefusal, match="does not take challenges"):
        commands.offer(who.alice, rated, kind=InvitationKind.CHALLENGE, guest=bob)


def test_a_player_who_takes_no_challenges_may_challenge_and_answer_open_ones(
    who: People,
) -> None:
    waiting = challenge(who.alice, who.bob)
    takes_none(who)
    bob = User.objects.get(pk=who.bob.pk)
    challenge(bob, who.alice)
    assert commands.accept(waiting.pk, bob).is_live


def test_the_query_count_of_the_lobby_does_not_grow_with_blocks(
    who: People, django_assert_max_num_queries: Callable[[int], AbstractContextManager[object]]
) -> None:
    for number in range(5):
        other = match_helpers.person(f"Other{number}")
        commands.offer(other, TERMS, kind=InvitationKind.SEAT)
        blocks.block(*((who.alice, other) if number % 2 else (other, who.alice)))
    commands.offer(who.bob, TERMS, kind=InvitationKind.SEAT)
    seats = Invitation.objects.seats_for(who.alice)
    with django_assert_max_num_queries(1):
        assert [seat.owner_id for seat in seats] == [who.bob.pk]


def test_a_block_never_expires(who: People) -> None:
    blocks.block(who.alice, who.bob)
    Block.objects.update(made_at=now() - timedelta(days=5000))
    with pytest.raises(refusals.InvitationRefusal):
        challenge(who.bob, who.alice)
