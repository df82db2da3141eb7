"""A rated set is reopened after it has counted: everything that followed from it is undone.

One match of it was not set up in time. Its ratings are compared with a computation of this file's
own, made from the paper of Glickman (2022).
"""

from datetime import datetime, timedelta
from itertools import count
from math import exp, log, pi, sqrt

import pytest
from django.test import Client

from accounts.models import User
from games.competitions.ladders.models import Challenge, Change, Member
from games.competitions.tournaments.models import Tournament
from games.play.commands import endings, moderation
from games.play.models.match import Match, Player
from games.ratings.models import Rating, Unit
from games.ratings.replay import differences
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at
from tests import tiers
from tests.competitions.ladders import scene
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import after, cells, pairing_of
from tests.notifications.email.reading import delivered, heading
from tests.ratings.results import count_at, finished

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]

SCALE, TAU = 173.7178, 0.5
Rated = tuple[User, User, float, datetime]  # the first one's score, and the final instant
Glicko = tuple[float, float, float]


def aged(state: Glicko, weeks: float) -> Glicko:
    rating, deviation, volatility = state
    return rating, min(350.0, sqrt(deviation**2 + weeks * (SCALE * volatility) ** 2)), volatility


def updated(own: Glicko, weeks: float, other: Glicko, score: float) -> Glicko:
    """Steps 2 to 8 of the paper for one result; the opponent's deviation has been aged."""
    mu, phi, sigma = (own[0] - 1500) / SCALE, own[1] / SCALE, own[2]
    g = 1 / sqrt(1 + 3 * (other[1] / SCALE) ** 2 / pi**2)
    expected = 1 / (1 + exp(-g * (mu - (other[0] - 1500) / SCALE)))
    v = 1 / (g**2 * expected * (1 - expected))
    delta = v * g * (score - expected)
    a = log(sigma**2)

    def f(x: float) -> float:
        e = exp(x)
        return e * (delta**2 - phi**2 - v - e) / (2 * (phi**2 + v + e) ** 2) - (x - a) / TAU**2

    low, high = a - 10, a + 10  # f falls; its zero is found by halving
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    sigma = exp(low / 2)
    star = min(350 / SCALE, sqrt(phi**2 + weeks * sigma**2))
    phi = 1 / sqrt(1 / star**2 + 1 / v)
    return 1500 + SCALE * (mu + phi**2 * g * (score - expected)), SCALE * phi, sigma


def computed(rated: list[Rated]) -> dict[int, Glicko]:
    states: dict[int, Glicko] = {}
    last: dict[int, datetime] = {}
    for one, other, score, at in rated:
        start: Glicko = (1500.0, 350.0, 0.06)
        pair = (one.pk, other.pk)
        before = [states.get(pk, start) for pk in pair]
        weeks = [(at - last.get(pk, at)).total_seconds() / 604_800 for pk in pair]
        seen = [aged(*each) for each in zip(before, weeks, strict=True)]
        states[one.pk] = updated(before[0], weeks[0], seen[1], score)
        states[other.pk] = updated(before[1], weeks[1], seen[0], 1 - score)
        last |= dict.fromkeys(pair, at)
    return states


def assert_rated(rated: list[Rated]) -> None:
    stored = {
        row.user_id: (row.rating, row.deviation, row.volatility)
        for row in Rating.objects.filter(family="assaut", counted__gt=0)
    }
    own = computed(rated)
    assert stored.keys() == own.keys()
    for user, numbers in own.items():
        assert stored[user] == pytest.approx(numbers, abs=1e-6)
    assert not list(differences("assaut"))


def played(one: User, other: User, score: float, at: datetime) -> Rated:
    """A set that the first one has won, or of which each has won one match."""
    letters = registry.ruleset("assaut").seat_letters
    south, north = letters[Seat.SOUTH], letters[Seat.NORTH]
    first = finished(one, other, south, at, preset="assaut")
    second = finished(other, one, north if score == 1 else south, at, preset="assaut")
    for match, twin in ((first, second), (second, first)):
        Match.objects.filter(pk=match.pk).update(twin=twin)
    return one, other, score, at


def of_tournament(users: list[User]) -> Match:
    made = playing.drawn(users, preset="assaut", seed="tulip")
    pairing = pairing_of(made, users[0], users[1])
    assert pairing.match is not None
    return pairing.match


def of_ladder(users: list[User]) -> Match:
    ladder = scene.open_ladder("assaut")
    scene.add_members(ladder, 4, playing.START, [users[1], users[2], users[0], users[3]])
    return scene.challenge(users[0], users[1], playing.CLOSES, "assaut")


def standing(match: Match, users: list[User]) -> object:
    """What the event of the match says of it: the cells of both, or the places of all."""
    if match.event.startswith("ladder"):
        return [member.user for member in Member.objects.order_by("place")]
    pairing = pairing_of(Tournament.objects.get(), users[0], users[1])
    return cells(pairing.group.stage.tournament, users[0], users[1])


@pytest.mark.parametrize("event", tiers.parameters(["tournament", "ladder"], fast=("tournament",)))
def test_all_that_followed_is_undone_and_follows_again(client: Client, event: str) -> None:
    users = playing.members(4)
    User.objects.update(notification_preferences={"frequency": "now"})
    ann, ben, cat, dan = users
    first = of_tournament(users) if event == "tournament" else of_ladder(users)
    twin = first.twin
    assert twin is not None
    before = standing(first, users)
    # The officers of one match are Ben's, who does not set them up.
    shown, missing = sorted((first, twin), key=lambda match: _waits_for(match, ben))
    playing.end(shown, ann, after(1))
    with frozen_at(after(9)):
        assert endings.claim_time(missing.pk)
    missing.refresh_from_db()
    assert missing.finished_at is not None
    days = count(12)
    final = missing.finished_at + timedelta(hours=48)
    rated: list[Rated] = [(ann, ben, 1.0, final)]
    rated += [played(*each, after(next(days))) for each in ((ann, cat, 0.5), (ben, dan, 1.0))]
    count_at(after(20))
    playing.tick(after(20))
    assert_rated(rated)
    counted = standing(first, users)
    assert counted != before
    assert _listed(client, ann, first)
    assert _listed(client, ben, first)
    numbers = list(Unit.objects.order_by("number").values_list("number", flat=True))
    assert numbers == [1, 2, 3]
    delivered()

    with frozen_at(after(21)):
        moderation.reopen(missing.pk, "They were ill.")
        emails = delivered()
    notified = [email.to for email in emails if "continues" in heading(email)]
    assert sorted(notified) == [[ann.email], [ben.email]]
    count_at(after(21))
    playing.tick(after(21))
    assert_rated(rated[1:])
    assert list(Unit.objects.order_by("number").values_list("number", flat=True)) == [2, 3]
    assert not _listed(client, ann, first)
    assert not _listed(client, ben, first)

    playing.end(Match.objects.get(pk=missing.pk), ben, after(23))
    count_at(after(24))
    playing.tick(after(24))
    assert_rated([*rated[1:], (ann, ben, 0.5, after(23))])
    assert list(Unit.objects.order_by("number").values_list("number", flat=True)) == [2, 3, 4]
    assert _listed(client, ann, first)
    if event == "tournament":
        assert sorted(map(sorted, standing(first, users))) == [["0", "1"], ["0", "1"]]  # type: ignore[call-overload]
    else:
        # Places stay as they are: others may have challenged by them since.
        assert standing(first, users) == counted
        assert Challenge.objects.get().settled_at is not None
        assert Change.objects.filter(why="won").count() == Change.objects.count()


def _waits_for(match: Match, user: User) -> bool:
    player = Player.objects.get(match=match, user=user)
    return bool(player.to_act)


def _listed(client: Client, user: User, match: Match) -> bool:
    """Whether the history of a rating, of which the graph is drawn, has the set."""
    page = client.get(f"/people/profile/{user.username}/ratings/assaut/").content.decode()
    return f"/{match.pk}/" in page
