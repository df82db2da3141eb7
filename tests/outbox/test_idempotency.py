"""A deed and its answer are one: both are there, or neither."""

from datetime import timedelta

import pytest
from django.db import transaction

from accounts.models import User
from games.outbox import idempotency
from games.outbox.db_clock import frozen_at, now
from games.outbox.models import Dispatch, StoredResponse
from games.outbox.outbox import post

pytestmark = pytest.mark.postgresql

KEY = "k" * 22


def answered(user: User, key: str = KEY, said: str = "a4-a5") -> idempotency.IdempotencyKey:
    slip = idempotency.key_for(user.pk, key, said)
    with idempotency.in_progress(slip):
        with idempotency.command_transaction():
            post("letter", user=user, match=1)
        idempotency.store_response(slip, 302, "/match/1/")
    return slip


def test_the_same_again_is_answered_as_the_first_time(alice: User) -> None:
    slip = answered(alice)
    before = idempotency.stored_response(slip)
    assert before is not None
    assert (before.status, before.location) == (302, "/match/1/")


def test_the_same_key_with_another_form_is_refused(alice: User) -> None:
    answered(alice)
    with pytest.raises(idempotency.KeyReused):
        idempotency.stored_response(idempotency.key_for(alice.pk, KEY, "a4-a6"))


def test_another_player_may_have_the_same_key(alice: User, bob: User) -> None:
    answered(alice)
    assert idempotency.stored_response(idempotency.key_for(bob.pk, KEY, "a4-a5")) is None


def test_what_was_done_under_a_used_key_is_undone(alice: User) -> None:
    answered(alice)
    slip = idempotency.key_for(alice.pk, KEY, "a4-a5")
    with pytest.raises(idempotency.DuplicateInProgress), idempotency.in_progress(slip):
        with idempotency.command_transaction():
            post("letter", user=alice, match=2)
        idempotency.store_response(slip, 302, "/match/1/")
    assert Dispatch.objects.count() == 1


def test_a_deed_without_its_answer_is_undone(alice: User) -> None:
    slip = idempotency.key_for(alice.pk, KEY, "a4-a5")
    with pytest.raises(ZeroDivisionError), idempotency.in_progress(slip):
        with idempotency.command_transaction():
            post("letter", user=alice, match=1)
        raise ZeroDivisionError
    assert not Dispatch.objects.exists()
    assert idempotency.stored_response(slip) is None


def test_a_deed_that_comes_to_nothing_leaves_the_key_free(alice: User) -> None:
    slip = idempotency.key_for(alice.pk, KEY, "a4-a5")
    with idempotency.in_progress(slip):
        with pytest.raises(ZeroDivisionError), idempotency.command_transaction():
            raise ZeroDivisionError
        assert slip.transaction is None
    assert idempotency.stored_response(slip) is None


def test_several_deeds_under_one_key_are_one_transaction(alice: User) -> None:
    slip = idempotency.key_for(alice.pk, KEY, "a4-a5")
    with pytest.raises(ZeroDivisionError), idempotency.in_progress(slip):
        for number in (1, 2):
            with idempotency.command_transaction():
                post("letter", user=alice, match=number)
        raise ZeroDivisionError
    assert not Dispatch.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_without_a_key_a_deed_is_a_transaction_of_its_own() -> None:
    with idempotency.command_transaction():
        assert transaction.get_connection().in_atomic_block
    assert not transaction.get_connection().in_atomic_block


def test_the_digest_of_a_form_tells_nothing_without_the_servers_key(alice: User, settings) -> None:
    one = idempotency.key_for(alice.pk, KEY, "a set-up").digest
    settings.SECRET_KEY = "another"
    assert idempotency.key_for(alice.pk, KEY, "a set-up").digest != one


def test_an_answer_is_kept_for_thirty_days(alice: User) -> None:
    answered(alice)
    with frozen_at(now() + timedelta(days=30) - timedelta(minutes=1)):
        assert idempotency.delete_expired() == 0
    with frozen_at(now() + timedelta(days=30, minutes=1)):
        assert idempotency.delete_expired() == 1
    assert not StoredResponse.objects.exists()
