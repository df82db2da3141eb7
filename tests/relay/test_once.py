"""A deed and its answer are one: both are there, or neither."""

from datetime import timedelta

import pytest
from django.db import transaction

from accounts.models import User
from games.relay import once
from games.relay.models import Answer, Dispatch
from games.relay.moment import now, standing_at
from games.relay.outbox import post

KEY = "k" * 22


def answered(user: User, key: str = KEY, said: str = "a4-a5") -> once.Slip:
    slip = once.slip(user.pk, key, said)
    with once.under(slip):
        with once.deed():
            post("letter", user=user, match=1)
        once.settle(slip, 302, "/match/1/")
    return slip


def test_the_same_again_is_answered_as_the_first_time(alice: User) -> None:
    slip = answered(alice)
    before = once.earlier(slip)
    assert before is not None
    assert (before.status, before.location) == (302, "/match/1/")


def test_the_same_key_with_another_form_is_refused(alice: User) -> None:
    answered(alice)
    with pytest.raises(once.UsedOtherwise):
        once.earlier(once.slip(alice.pk, KEY, "a4-a6"))


def test_another_player_may_have_the_same_key(alice: User) -> None:
    answered(alice)
    bob = User.objects.create_user("Bob")
    assert once.earlier(once.slip(bob.pk, KEY, "a4-a5")) is None


def test_what_was_done_under_a_used_key_is_undone(alice: User) -> None:
    answered(alice)
    slip = once.slip(alice.pk, KEY, "a4-a5")
    with pytest.raises(once.AnsweredMeanwhile), once.under(slip):
        with once.deed():
            post("letter", user=alice, match=2)
        once.settle(slip, 302, "/match/1/")
    assert Dispatch.objects.count() == 1


def test_a_deed_without_its_answer_is_undone(alice: User) -> None:
    slip = once.slip(alice.pk, KEY, "a4-a5")
    with pytest.raises(ZeroDivisionError), once.under(slip):
        with once.deed():
            post("letter", user=alice, match=1)
        raise ZeroDivisionError
    assert not Dispatch.objects.exists()
    assert once.earlier(slip) is None


def test_a_deed_that_comes_to_nothing_leaves_the_key_free(alice: User) -> None:
    slip = once.slip(alice.pk, KEY, "a4-a5")
    with once.under(slip):
        with pytest.raises(ZeroDivisionError), once.deed():
            raise ZeroDivisionError
        assert slip.deed is None
    assert once.earlier(slip) is None


def test_several_deeds_under_one_key_are_one_transaction(alice: User) -> None:
    slip = once.slip(alice.pk, KEY, "a4-a5")
    with pytest.raises(ZeroDivisionError), once.under(slip):
        for number in (1, 2):
            with once.deed():
                post("letter", user=alice, match=number)
        raise ZeroDivisionError
    assert not Dispatch.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_without_a_key_a_deed_is_a_transaction_of_its_own() -> None:
    with once.deed():
        assert transaction.get_connection().in_atomic_block
    assert not transaction.get_connection().in_atomic_block


def test_the_digest_of_a_form_tells_nothing_without_the_servers_key(alice: User, settings) -> None:
    one = once.slip(alice.pk, KEY, "a set-up").asked
    settings.SECRET_KEY = "another"
    assert once.slip(alice.pk, KEY, "a set-up").asked != one


def test_an_answer_is_kept_for_thirty_days(alice: User) -> None:
    answered(alice)
    with standing_at(now() + timedelta(days=30) - timedelta(minutes=1)):
        assert once.tidy() == 0
    with standing_at(now() + timedelta(days=30, minutes=1)):
        assert once.tidy() == 1
    assert not Answer.objects.exists()
