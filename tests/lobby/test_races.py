"""Races on one invitation: many users at once, each with their own database connection."""

from collections.abc import Callable
from functools import partial

import pytest

from accounts.models import User
from games.lobby import commands
from games.lobby.invitations import expiry
from games.lobby.models import INVITATION_LIFETIME, Invitation, InvitationStatus
from games.outbox.models import Dispatch
from games.play.models.match import Match, Player, Status
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import frozen_at, now
from tests import tiers
from tests.concurrent import at_once
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql

HANDS = 8


@pytest.fixture
def people(apart: None) -> list[User]:
    return [User.objects.create_user(f"Rider{chr(65 + number)}") for number in range(HANDS + 1)]


def test_one_of_many_accepting_players_gets_the_match(
    people: People, offer: Callable[..., Invitation]
) -> None:
    owner, *others = people
    invitation = offer(owner)
    outcomes = at_once(*[lambda u=user: commands.accept(invitation.pk, u) for user in others])
    matches = [outcome for outcome in outcomes if isinstance(outcome, Match)]
    assert len(matches) == Match.objects.count() == 1
    assert Player.objects.count() == 2
    assert Dispatch.objects.filter(event="match-began").count() == 2
    assert sum(isinstance(outcome, Refusal) for outcome in outcomes) == HANDS - 1


def test_one_player_with_many_clicks_gets_one_match(
    people: People, offer: Callable[..., Invitation]
) -> None:
    owner, guest, *_ = people
    invitation = offer(owner, guest=guest)
    outcomes = at_once(*[lambda: commands.accept(invitation.pk, guest)] * HANDS)
    assert set(outcomes) == {Match.objects.get()}


def test_either_accepting_or_withdrawing_succeeds(
    people: People, offer: Callable[..., Invitation]
) -> None:
    owner, guest, *_ = people
    for _ in range(5):
        invitation = offer(owner)
        at_once(
            partial(commands.accept, invitation.pk, guest),
            partial(commands.withdraw, invitation.pk, owner),
        )
        invitation.refresh_from_db()
        assert (invitation.status == InvitationStatus.ACCEPTED) == (invitation.match is not None)
    assert (
        Match.objects.count() == Invitation.objects.filter(status=InvitationStatus.ACCEPTED).count()
    )


def test_concurrent_offers_cannot_exceed_the_limit(
    people: People, offer: Callable[..., Invitation]
) -> None:
    owner = people[0]
    for _ in range(commands.MAX_OPEN_INVITATIONS - 3):
        offer(owner)
    at_once(*[lambda n=n: offer(owner, note=f"more {n}") for n in range(HANDS)])
    assert Invitation.objects.count() == commands.MAX_OPEN_INVITATIONS


@pytest.mark.parametrize("times", tiers.parameters((1, 5), fast=(1,)))
def test_both_players_who_press_rematch_at_once_get_one_match(
    people: People, offer: Callable[..., Invitation], times: int
) -> None:
    south, north, *_ = people
    for _ in range(times):
        match = commands.accept(offer(south, guest=north).pk, north)
        Match.objects.filter(pk=match.pk).update(status=Status.FINISHED, result="S")
        at_once(
            *[partial(commands.rematch, match.pk, south)] * 2,
            *[partial(commands.rematch, match.pk, north)] * 2,
        )
        again = Invitation.objects.get(rematch_of=match)
        assert again.status == InvitationStatus.ACCEPTED
        assert Match.objects.filter(rematch_of=match).count() == 1


def test_overlapping_sweeps_notify_once(people: People, offer: Callable[..., Invitation]) -> None:
    for _ in range(6):
        offer(people[0])

    def sweep() -> int:
        with frozen_at(later):
            return expiry.sweep()

    later = now() + INVITATION_LIFETIME
    assert sum(notified for notified in at_once(*[sweep] * 4) if isinstance(notified, int)) == 6
    assert Dispatch.objects.filter(event="invitation-expired").count() == 6
