"""Conditions of open seats and private links: for each way to accept, in lists and in sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from games.lobby import commands
from games.lobby.invitations import admission, private_links
from games.lobby.invitations.candidates import Candidate
from games.lobby.invitations.conditions import ConditionNotMet, Conditions
from games.lobby.models import Invitation, InvitationKind, InvitationStatus
from games.people.models import Reliability
from games.play.models.match import Match
from games.ratings.eligibility import NotRateable
from games.ratings.models import Rating
from lib.db_clock import frozen_at, now
from tests import tiers
from tests.lobby.invitations.people import miss, rate
from tests.mail import post
from tests.notifications.email.reading import text
from tests.ratings.results import day

pytestmark = pytest.mark.django_db

Offer = Callable[..., Invitation]


# Each condition with what a reader must be like to fail it, and the words that say so.
CASES: dict[str, tuple[Conditions, Callable[[User, User], object], str]] = {
    "from": (Conditions(rating_from=1600), lambda me, _: rate(me, 1599.4), "yours is 1599"),
    "from, unrated": (Conditions(rating_from=1501), lambda me, _: None, "yours is 1500"),
    "to": (Conditions(rating_to=1600), lambda me, _: rate(me, 1600.6), "at most 1600"),
    "established": (
        Conditions(established=True),
        lambda me, _: rate(me, 1500, 110.4),
        "shown without a question mark; yours is 1500",
    ),
    "finished": (
        Conditions(min_finished=5),
        lambda me, _: Reliability.objects.create(user=me, finished=4),
        "you have finished 4",
    ),
    "reliable": (
        Conditions(reliable=True),
        lambda me, other: miss(me, other, now()),
        "within 90 days",
    ),
}


@pytest.fixture
def believed(settings: Settings) -> None:
    """The demo, where every sender of mail counts as authenticated."""
    settings.DEMO = True
    settings.MAIL_AUTHSERV_ID = ""


@pytest.fixture(params=tiers.parameters(CASES, fast=("from", "reliable")))
def unmet(
    request: pytest.FixtureRequest, alice: User, bob: User, charlie: User
) -> tuple[Conditions, str]:
    """Conditions that Bob does not meet, and words of the reason."""
    conditions, prepare, words = CASES[request.param]
    prepare(bob, charlie)
    return conditions, words


@pytest.mark.usefixtures("believed")
def test_conditions_are_checked_for_every_way_to_accept(
    alice: User, bob: User, offer: Offer, client: Client, unmet: tuple[Conditions, str]
) -> None:
    conditions, words = unmet
    seat = offer(alice, conditions=conditions)
    link = offer(alice, kind=InvitationKind.LINK, conditions=conditions)
    client.force_login(bob)
    # The command.
    with pytest.raises(ConditionNotMet, match=words):
        commands.accept(seat.pk, bob)
    with pytest.raises(ConditionNotMet, match=words):
        commands.accept(link.pk, bob, by_link=True)
    # The pages, of which the private link is one, give the reason and no button.
    pages = (
        seat.get_absolute_url(),
        reverse("lobby:link", args=[private_links.write_token(link.pk)]),
    )
    for page in pages:
        seen = client.get(page, follow=True).content.decode()
        assert words in seen
        assert "/accept/" not in seen
    # The form that the page does not show.
    for invitation in (seat, link):
        answer = client.post(reverse("lobby:accept", args=[invitation.pk]), follow=True)
        assert words in answer.content.decode()
    # Mail.
    receipt = post.answer(bob, post.answer(bob, "post@localhost", "hello"), f"join {seat.pk}")
    assert post.outcome(receipt) == "refused"
    assert words in " ".join(text(receipt).split())
    # The search.
    assert commands.find_opponent(bob, seat.preset, seat.pace).owner == bob
    assert not Invitation.objects.filter(owner=alice).exclude(status=InvitationStatus.OPEN).exists()
    assert not Match.objects.filter(players__user=alice, players__live=True).exists()


@pytest.mark.usefixtures("believed")
def test_lists_leave_out_seats_that_the_reader_may_not_accept(
    alice: User, bob: User, offer: Offer, client: Client, unmet: tuple[Conditions, str]
) -> None:
    conditions, words = unmet
    seat, free = offer(alice, conditions=conditions), offer(alice)
    client.force_login(bob)
    usual = client.get(reverse("lobby:index")).content.decode()
    assert free.get_absolute_url() in usual
    assert seat.get_absolute_url() not in usual
    both = client.get(reverse("lobby:index"), {"all": "1"})
    assert words in both.content.decode()
    assert {seat, free} == {row.invitation for row in both.context["rows"]}
    assert both.content.decode().count(">Play</a>") == 1
    shown = text(post.answer(bob, post.answer(bob, "post@localhost", "hello"), "lobby"))
    assert f"Number {free.pk}:" in shown
    assert f"Number {seat.pk}:" not in shown


def test_visitors_see_every_seat_with_its_conditions(
    alice: User, offer: Offer, client: Client
) -> None:
    seat = offer(alice, conditions=Conditions(rating_from=1600, established=True, min_finished=1))
    for page in (reverse("lobby:index"), seat.get_absolute_url()):
        seen = client.get(page).content.decode()
        assert "A rating of at least 1600" in seen
        assert "An established rating" in seen
        assert "At least 1 finished match" in seen


@pytest.mark.parametrize(
    ("conditions", "rating", "may"),
    [
        (Conditions(rating_from=1600), 1599.5, True),
        (Conditions(rating_to=1600), 1600.49, True),
        (Conditions(rating_from=1500, rating_to=1500), None, True),
        (Conditions(rating_from=100, rating_to=1499), None, False),
    ],
)
def test_the_shown_rating_counts_and_1500_is_the_default(
    alice: User,
    bob: User,
    offer: Offer,
    conditions: Conditions,
    rating: float | None,
    may: bool,
) -> None:
    if rating is not None:
        rate(bob, rating)
    seat = offer(alice, conditions=conditions)
    assert (admission.why_not(Candidate.of_user(bob.pk, now()), seat) is None) == may


def test_the_current_deviation_counts(alice: User, bob: User, offer: Offer) -> None:
    rate(bob, 1500, 109)
    seat = offer(alice, conditions=Conditions(established=True))
    assert admission.why_not(Candidate.of_user(bob.pk, now()), seat) is None
    Rating.objects.update(last_at=day(0), deviation=109)
    with frozen_at(day(60)):
        assert admission.why_not(Candidate.of_user(bob.pk, now()), seat) is not None


def test_a_miss_does_not_count_after_ninety_days(
    alice: User, bob: User, charlie: User, offer: Offer
) -> None:
    miss(bob, charlie, day(0))
    with frozen_at(day(89)):
        seat = offer(alice, conditions=Conditions(reliable=True))
        with pytest.raises(ConditionNotMet):
            commands.accept(seat.pk, bob)
    with frozen_at(day(90.1)):
        commands.accept(seat.pk, bob)


@pytest.mark.parametrize(("least", "most"), [(99, None), (None, 3501), (1600, 1599), (3501, 3502)])
def test_impossible_ratings_are_refused(least: int | None, most: int | None) -> None:
    with pytest.raises(ValueError, match="Ratings"):
        Conditions(rating_from=least, rating_to=most)


def offers(owners: list[User], offer: Offer) -> Iterator[Invitation]:
    """Seats with many kinds of conditions, in two games."""
    conditions = [
        Conditions(),
        Conditions(rating_from=1550),
        Conditions(rating_to=1550, established=True),
        Conditions(min_finished=1),
        Conditions(reliable=True),
    ]
    kinds: list[dict[str, Any]] = [
        {},
        {"rated": True},
        {"preset": "assaut", "as_set": True, "rated": True},
        {"as_set": True},
    ]
    for number, (condition, options) in enumerate(product(conditions, kinds)):
        yield offer(owners[number % 2], conditions=condition, **options)


@pytest.mark.parametrize("readers", tiers.parameters((25, 60), fast=(25,)))
def test_lists_and_acceptance_agree(
    alice: User, bob: User, charlie: User, offer: Offer, readers: int
) -> None:
    seats = list(offers([alice, charlie], offer))
    rng = Random(7)
    full: list[dict[tuple[str, int], NotRateable]] = [
        {},
        {("lattaque", alice.pk): NotRateable("full")},
    ]
    taken = set()
    for _ in range(readers):
        reader = Candidate(
            user_id=bob.pk,
            ratings=Candidate.of_user(bob.pk, now()).ratings,
            finished=rng.choice((0, 1)),
            has_missed=rng.random() < 0.5,
            most=10,
            live=rng.choice((7, 8, 9, 10)),
            barred_since=rng.choice((None, now())),
            full_with=rng.choice(full),
            playing_out_of=frozenset(),
        )
        rate(
            bob, rng.choice((1500, 1560)), rng.choice((80, 200)), rng.choice(("lattaque", "assaut"))
        )
        listed = set(Invitation.objects.filter(reader.may_take()))
        assert listed == {seat for seat in seats if admission.why_not(reader, seat) is None}
        taken |= listed
    assert taken == set(seats)
