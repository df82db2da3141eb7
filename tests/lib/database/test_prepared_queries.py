"""Prepared queries: constants are literals in the SQL, and parameters are not."""

from typing import Any

import pytest
from django.db.models import QuerySet, Value

from accounts.models import User
from games.play.models.match import Match, Player, Status
from lib.database.prepared_queries import PreparedQuery
from lib.db_clock import now

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@PreparedQuery
def running_on_turn(user_id: int) -> QuerySet[Any, Any]:
    seats = Player.objects.filter(user=user_id, to_act=True, match__status=Status.RUNNING)
    return seats.values_list("pk", Value(7))


@PreparedQuery
def texts(name: str) -> QuerySet[Any, Any]:
    odd = Value("100 % o'clock"), Value("two words"), Value("")
    named: QuerySet[Any, Any] = User.objects.filter(username=name)
    return named.values_list("pk", *odd)


def test_numbers_truth_values_and_plain_words_are_literals(alice: User, bob: User) -> None:
    for status in (Status.RUNNING, Status.SETUP):
        match = Match.objects.create(preset="lattaque-en", status=status, created_at=now())
        for seat, user in enumerate((alice, bob)):
            Player.objects.create(match=match, user=user, seat=seat, to_act=user == alice)
    ((_pk, seven),) = running_on_turn(user_id=alice.pk)
    assert seven == 7
    assert not running_on_turn(user_id=bob.pk)
    compiled = running_on_turn._compile()
    assert compiled.arguments == (None,)
    assert "= 'running'" in compiled.sql and "= TRUE" in compiled.sql


def test_other_texts_stay_arguments(alice: User) -> None:
    assert texts(name="Alice") == [(alice.pk, "100 % o'clock", "two words", "")]
    assert texts._compile().arguments == ("100 % o'clock", "two words", "", None)
