"""A rematch has the same terms with seats swapped; each match has one."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from games.lobby import commands, refusals
from games.lobby.models import INVITATION_LIFETIME, Invitation, InvitationKind, InvitationStatus
from games.outbox.models import Dispatch
from games.play.models.match import Match, Status, by_seat
from games.play.refusals import NotSeated
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests.play import match_helpers

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]


@pytest.fixture
def finished(alice: User, bob: User, offer: Callable[..., Invitation]) -> Match:
    """A finished match in which Alice sat South."""
    invitation = offer(
        alice, guest=bob, seat=Seat.SOUTH, pace="5d", setup_pace="7d", switches={"spy_both": True}
    )
    match = commands.accept(invitation.pk, bob)
    Match.objects.filter(pk=match.pk).update(status=Status.FINISHED, result="S")
    Dispatch.objects.all().delete()
    return match


def test_a_rematch_is_a_challenge_with_seats_swapped(
    alice: User, bob: User, finished: Match
) -> None:
    invitation = commands.rematch(finished.pk, alice)
    assert invitation.kind == InvitationKind.CHALLENGE
    assert (invitation.owner, invitation.guest) == (alice, bob)
    assert invitation.seat == Seat.NORTH
    assert (invitation.pace, invitation.setup_pace) == ("5d", "7d")
    assert invitation.switches == {"spy_both": True}
    assert Dispatch.objects.get().event == "challenged"


def test_pressing_twice_makes_one_offer(alice: User, finished: Match) -> None:
    assert commands.rematch(finished.pk, alice) == commands.rematch(finished.pk, alice)
    assert Invitation.objects.filter(rematch_of=finished).count() == 1


def test_a_day_later_pressing_again_returns_the_same_offer(alice: User, finished: Match) -> None:
    first = commands.rematch(finished.pk, alice)
    with frozen_at(now() + INVITATION_LIFETIME / 2):
        assert commands.rematch(finished.pk, alice) == first


def test_the_opponent_accepts_by_pressing_rematch(alice: User, bob: User, finished: Match) -> None:
    commands.rematch(finished.pk, alice)
    invitation = commands.rematch(finished.pk, bob)
    assert invitation.status == InvitationStatus.ACCEPTED
    match = invitation.match
    assert match.rematch_of == finished
    assert match.switches == finished.switches
    assert by_seat(match)[Seat.NORTH].user == alice
    assert by_seat(match)[Seat.SOUTH].user == bob
    assert Invitation.objects.filter(rematch_of=finished).count() == 1


def test_after_it_has_begun_pressing_returns_the_same_rematch(
    alice: User, bob: User, finished: Match
) -> None:
    commands.rematch(finished.pk, alice)
    match = commands.rematch(finished.pk, bob).match
    for player in (alice, bob):
        assert commands.rematch(finished.pk, player).match == match
    assert Match.objects.count() == 2


def test_a_declined_rematch_may_be_offered_by_the_other(
    alice: User, bob: User, finished: Match
) -> None:
    commands.decline(commands.rematch(finished.pk, alice).pk, bob)
    invitation = commands.rematch(finished.pk, bob)
    assert (invitation.owner, invitation.status) == (bob, InvitationStatus.OPEN)


def test_an_expired_offer_can_be_replaced_by_a_new_one(
    alice: User, bob: User, finished: Match
) -> None:
    first = commands.rematch(finished.pk, alice)
    with frozen_at(now() + INVITATION_LIFETIME):
        second = commands.rematch(finished.pk, bob)
    first.refresh_from_db()
    assert first.status == InvitationStatus.EXPIRED
    assert (second.owner, second.status) == (bob, InvitationStatus.OPEN)


def test_a_rematch_of_a_rematch_swaps_seats_again(alice: User, bob: User, finished: Match) -> None:
    commands.rematch(finished.pk, alice)
    second = commands.rematch(finished.pk, bob).match
    Match.objects.filter(pk=second.pk).update(status=Status.FINISHED, result="N")
    assert commands.rematch(second.pk, alice).seat == Seat.SOUTH


def test_a_running_match_has_no_rematch(alice: User, finished: Match) -> None:
    Match.objects.update(status=Status.RUNNING, result="")
    with pytest.raises(refusals.InvitationRefusal, match="played to the end"):
        commands.rematch(finished.pk, alice)


def test_only_the_players_may_offer_a_rematch(charlie: User, finished: Match) -> None:
    with pytest.raises(NotSeated):
        commands.rematch(finished.pk, charlie)


def test_there_is_no_rematch_with_a_deactivated_user(
    alice: User, bob: User, finished: Match
) -> None:
    bob.is_active = False
    bob.save()
    with pytest.raises(refusals.InvitationRefusal, match="Bob does not take challenges"):
        commands.rematch(finished.pk, alice)


def test_a_rematch_of_a_rated_match_is_rated(alice: User, finished: Match) -> None:
    Match.objects.filter(pk=finished.pk).update(rated=True, switches={})
    invitation = commands.rematch(finished.pk, alice)
    assert invitation.rated and not invitation.became_friendly


def test_a_rematch_that_cannot_be_rated_is_friendly_and_says_so(
    alice_client: Client, bob_client: Client, finished: Match
) -> None:
    # The rules are changed, so that it may not be rated again.
    Match.objects.filter(pk=finished.pk).update(rated=True)
    sentence = "The rematch is friendly, since it cannot be rated now."
    text = alice_client.post(f"/lobby/rematch/{finished.pk}/", follow=True).content.decode()
    assert text.count(sentence) == 2  # as a message and among the terms
    invitation = Invitation.objects.get(rematch_of=finished)
    assert not invitation.rated
    assert sentence in bob_client.get(f"/lobby/{invitation.pk}/").content.decode()
    assert (
        sentence in bob_client.post(f"/lobby/rematch/{finished.pk}/", follow=True).content.decode()
    )

    # Both are on the page of the match, which repeats why.
    opened = match_helpers.set_up(Match.objects.get(rematch_of=finished))
    page = alice_client.get(f"/match/{opened.pk}/").content.decode()
    assert "but a limit for rated matches applied when this rematch was offered." in page


def test_a_rematch_of_a_friendly_match_says_nothing_of_it(
    alice_client: Client, bob_client: Client, finished: Match
) -> None:
    text = alice_client.post(f"/lobby/rematch/{finished.pk}/", follow=True).content.decode()
    assert "cannot be rated now" not in text
    bob_client.post(f"/lobby/rematch/{finished.pk}/")
    opened = match_helpers.set_up(Match.objects.get(rematch_of=finished))
    assert (
        "limit for rated matches" not in alice_client.get(f"/match/{opened.pk}/").content.decode()
    )
