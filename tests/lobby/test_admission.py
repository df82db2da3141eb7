"""Caps, bars and rated matches: who may offer or accept what, with the reason."""

from collections.abc import Callable

import pytest

from accounts.models import User
from games.lobby import commands
from games.lobby.models import Invitation, InvitationStatus
from games.people.models import Reliability
from games.people.standing import limits
from games.people.standing.limits import Barred, OverTheCap
from games.play.models.match import Match, Player, Status
from games.ratings.eligibility import NotRateable
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at
from tests.ratings.results import count_at, day, finished

pytestmark = pytest.mark.django_db

Offer = Callable[..., Invitation]


def miss(user: User, other: User, at: float) -> None:
    """A match that the user lost on time."""
    match = finished(user, other, "N", day(at), reason="time", rated=False)
    Player.objects.filter(match=match, user=user).update(missed_at=day(at))


@pytest.mark.parametrize(
    ("terms", "words"),
    [
        ({"switches": {"spy_both": True}}, "the edition's own rules"),
        ({"pace": "none", "setup_pace": "14d"}, "needs a time limit"),
        ({"preset": "assaut"}, "is a set of two"),
    ],
)
def test_a_rated_offer_says_what_is_missing(
    alice: User, offer: Offer, terms: dict[str, object], words: str
) -> None:
    offer(alice, **terms)
    with pytest.raises(NotRateable, match=words):
        offer(alice, rated=True, **terms)
    assert Invitation.objects.count() == 1


def test_rated_terms_reach_the_match(alice: User, bob: User, offer: Offer) -> None:
    match = commands.accept(offer(alice, rated=True).pk, bob)
    assert match.rated
    both = commands.accept(offer(alice, rated=True, preset="assaut", as_set=True).pk, bob)
    assert both.twin is not None and both.rated and both.twin.rated


def test_a_pair_may_have_two_live_rated_units_of_a_game(
    alice: User, bob: User, charlie: User, offer: Offer
) -> None:
    for _ in range(2):
        commands.accept(offer(alice, rated=True, as_set=True).pk, bob)
    third = offer(alice, rated=True)
    with pytest.raises(NotRateable, match="already play 2 rated"):
        commands.accept(third.pk, bob)
    with pytest.raises(NotRateable):
        offer(alice, guest=bob, rated=True)
    third.refresh_from_db()
    assert third.status == InvitationStatus.OPEN
    # Another game, a friendly match and another player are open.
    commands.accept(offer(alice, guest=bob, rated=True, preset="tactique").pk, bob)
    commands.accept(offer(alice, guest=bob).pk, bob)
    commands.accept(third.pk, charlie)


def test_the_fourth_rated_match_of_a_pair_in_a_month_is_refused(
    alice: User, bob: User, offer: Offer
) -> None:
    for number in range(3):
        finished(alice, bob, "S", day(number))
    count_at(day(4))
    with frozen_at(day(5)), pytest.raises(NotRateable, match="3 matches of you two"):
        offer(alice, guest=bob, rated=True)
    with frozen_at(day(40)):
        offer(alice, guest=bob, rated=True)


def test_three_misses_bar_until_a_match_is_finished(
    alice: User, bob: User, charlie: User, offer: Offer
) -> None:
    miss(alice, bob, 1)
    miss(alice, bob, 2)
    with frozen_at(day(4)):
        assert limits.barred_since(alice.pk) is None
    miss(alice, bob, 3)
    with frozen_at(day(4)):
        assert limits.barred_since(alice.pk) == day(3)
        with pytest.raises(Barred, match="Finish one match"):
            offer(alice, rated=True)
        with pytest.raises(Barred):
            commands.accept(offer(charlie, rated=True).pk, alice)
        # The others do not read why.
        with pytest.raises(NotRateable, match="cannot play a rated match at the moment"):
            offer(charlie, guest=alice, rated=True)
        offer(alice)
    finished(alice, bob, "N", day(5), turns=1)
    with frozen_at(day(6)):
        assert limits.barred_since(alice.pk) is not None
    finished(alice, bob, "N", day(6), turns=2)
    with frozen_at(day(7)):
        assert limits.barred_since(alice.pk) is None
        offer(alice, rated=True)


def test_misses_do_not_count_after_ninety_days(alice: User, bob: User) -> None:
    for at in (1, 2, 3):
        miss(alice, bob, at)
    with frozen_at(day(91.1)):
        assert limits.barred_since(alice.pk) is None


def live_matches(user: User, other: User, count: int) -> None:
    for _ in range(count):
        match = Match.objects.create(
            preset="lattaque-en", pace="3d", setup_pace="3d", created_at=day(0)
        )
        for seat, player in zip(Seat, (user, other), strict=True):
            Player.objects.create(match=match, user=player, seat=seat)


def test_the_cap_grows_with_finished_matches(
    alice: User, bob: User, charlie: User, offer: Offer
) -> None:
    live_matches(alice, bob, 9)
    offer(alice)
    with pytest.raises(OverTheCap, match="10 matches against people"):
        offer(alice, as_set=True)
    live_matches(alice, bob, 1)
    for refused in (
        lambda: offer(alice),
        lambda: offer(alice, guest=charlie),
        lambda: commands.accept(offer(charlie).pk, alice),
    ):
        with pytest.raises(OverTheCap):
            refused()
    Reliability.objects.create(user=alice, finished=1)
    offer(alice)
    Reliability.objects.update(finished=500)
    assert limits.most_matches(alice.pk) == 100


def test_a_rematch_stays_rated_if_allowed(alice: User, bob: User, offer: Offer) -> None:
    match = commands.accept(offer(alice, rated=True).pk, bob)
    Match.objects.filter(pk=match.pk).update(status=Status.FINISHED, result="S")
    Player.objects.filter(match=match).update(live=False)
    assert commands.rematch(match.pk, alice).rated


def test_a_rematch_that_may_not_be_rated_is_friendly(alice: User, bob: User, offer: Offer) -> None:
    match = commands.accept(offer(alice, rated=True).pk, bob)
    Match.objects.filter(pk=match.pk).update(status=Status.FINISHED, result="S")
    Player.objects.filter(match=match).update(live=False)
    for at in (1, 2, 3):
        miss(bob, alice, at)
    with frozen_at(day(4)):
        assert not commands.rematch(match.pk, alice).rated
