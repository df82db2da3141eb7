"""Looks of staff at the same time as other acts, each on its own connection."""

from functools import partial

import pytest
from django.contrib.auth.models import Permission

from accounts.models import User
from games.outbox.models import Dispatch
from games.play.commands import endings, looks, moves
from games.play.models.kind import PlyKind
from games.play.models.look import Look
from games.play.models.match import Match
from games.play.models.ply import Ply
from games.play.record import verification
from games.rules.core.basics.refusals import Refusal
from tests.concurrent import at_once
from tests.play import match_helpers, plan_helpers
from tests.play.match_helpers import People, as_is

pytestmark = [pytest.mark.postgresql, pytest.mark.django_db(transaction=True)]

REASON = "A report says that pieces changed."
MOVES = (("a4-a5", "a7-a6"), ("b4-b5", "b7-b6"), ("e4-e5", "e7-e6"))


@pytest.fixture
def who(apart: None) -> People:
    return match_helpers.people()


@pytest.fixture
def staff(apart: None) -> list[User]:
    """Four members of staff who may break the seal."""
    permission = Permission.objects.get(codename="break_seal")
    names = ("Ney", "Soult", "Murat", "Davout")
    users = [match_helpers.person(name, is_staff=True) for name in names]
    for user in users:
        user.user_permissions.add(permission)
    return users


def kinds(match: Match) -> list[str]:
    plies = Ply.objects.filter(match=match).order_by("number")
    return list(plies.values_list("kind", flat=True))


def test_one_of_several_simultaneous_agreements_counts(who: People, staff: list[User]) -> None:
    match = match_helpers.running_match(who)
    asker, *others = staff
    for number in range(1, 4):
        look = looks.ask(match.pk, asker, REASON)
        outcomes = at_once(*[partial(looks.agree, look.pk, user) for user in others])
        assert sum(isinstance(outcome, Refusal) for outcome in outcomes) == len(others) - 1
        assert kinds(match).count(PlyKind.LOOK) == as_is(match).looks == number
    assert Dispatch.objects.filter(event="armies-seen", handler="notify").count() == 6
    assert Look.objects.filter(ply__isnull=False).count() == 3


def test_a_simultaneous_move_and_look_both_count(who: People, staff: list[User]) -> None:
    match = match_helpers.running_match(who)
    for south, north in MOVES:
        for player, text in ((who.alice, south), (who.bob, north)):
            look = looks.ask(match.pk, staff[0], REASON)
            seen = as_is(match).ply
            outcomes = at_once(
                partial(moves.submit_move, match.pk, player, text, seen),
                partial(looks.agree, look.pk, staff[1]),
            )
            assert [outcome for outcome in outcomes if isinstance(outcome, Refusal)] == []
    after = as_is(match)
    assert kinds(match).count(PlyKind.MOVE) == kinds(match).count(PlyKind.LOOK) == 6
    assert (after.looks, after.off_board, after.ply) == (6, 6, 14)
    assert verification.Inspection("default", everything=True).faults == []


def test_a_simultaneous_look_and_offer_or_plan_both_count(who: People, staff: list[User]) -> None:
    for _ in range(3):
        match = match_helpers.running_match(who, "a4-a5")
        look = looks.ask(match.pk, staff[0], REASON)
        outcomes = at_once(
            partial(endings.offer_draw, match.pk, who.alice),
            partial(plan_helpers.save, match, who.alice, "if a7-a6 then b4-b5"),
            partial(looks.agree, look.pk, staff[1]),
        )
        assert [outcome for outcome in outcomes if isinstance(outcome, Exception)] == []
        after = as_is(match)
        assert (after.draw_offer, after.looks) == (0, 1)
        assert plan_helpers.plan_of(match, who.alice).row.ply == after.ply
