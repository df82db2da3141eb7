"""A command and its stored response are one transaction."""

import time
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games.idempotency import replay, signed_keys
from games.idempotency.models import StoredResponse
from games.outbox.models import Dispatch
from tests.outbox.handlers import post

pytestmark = pytest.mark.postgresql


def answered(user: User, key: str = "", action: str = "a4-a5") -> replay.IdempotencyKey:
    idempotency_key = replay.key_for(user.pk, key or replay.new_key(user), action)
    with replay.in_progress(idempotency_key):
        with replay.command_transaction():
            post("email", user=user, match=1)
        replay.store_response(idempotency_key, 302, "/match/1/")
    return idempotency_key


def test_a_repeated_form_gets_the_first_response(alice: User) -> None:
    idempotency_key = answered(alice)
    before = replay.stored_response(idempotency_key)
    assert before is not None
    assert (before.status, before.location) == (302, "/match/1/")


def test_the_same_key_with_another_form_is_refused(alice: User) -> None:
    idempotency_key = answered(alice)
    with pytest.raises(replay.KeyReused):
        replay.stored_response(replay.key_for(alice.pk, idempotency_key.key, "a4-a6"))


def test_a_response_that_an_older_version_stored_is_replayed(alice: User) -> None:
    """It stored the signature of the key as well, and the whole digest."""
    idempotency_key = answered(alice)
    row = StoredResponse.objects.get()
    assert row.key == idempotency_key.key[:24]
    row.key, row.digest = idempotency_key.key, idempotency_key.digest + b"x" * 16
    row.save()
    assert replay.stored_response(idempotency_key) == (302, "/match/1/")
    with pytest.raises(replay.KeyReused):
        replay.stored_response(replay.key_for(alice.pk, idempotency_key.key, "a4-a6"))


def test_an_action_under_a_used_key_is_rolled_back(alice: User) -> None:
    idempotency_key = replay.key_for(alice.pk, answered(alice).key, "a4-a5")
    with pytest.raises(replay.DuplicateInProgress), replay.in_progress(idempotency_key):
        with replay.command_transaction():
            post("email", user=alice, match=2)
        replay.store_response(idempotency_key, 302, "/match/1/")
    assert Dispatch.objects.count() == 1


def test_an_action_without_its_response_is_rolled_back(alice: User) -> None:
    idempotency_key = replay.key_for(alice.pk, replay.new_key(alice), "a4-a5")
    with pytest.raises(ZeroDivisionError), replay.in_progress(idempotency_key):
        with replay.command_transaction():
            post("email", user=alice, match=1)
        raise ZeroDivisionError
    assert not Dispatch.objects.exists()
    assert replay.stored_response(idempotency_key) is None


def test_an_action_without_effect_leaves_the_key_unused(alice: User) -> None:
    idempotency_key = replay.key_for(alice.pk, replay.new_key(alice), "a4-a5")
    with replay.in_progress(idempotency_key):
        with pytest.raises(ZeroDivisionError), replay.command_transaction():
            raise ZeroDivisionError
        assert idempotency_key.transaction is None
    assert replay.stored_response(idempotency_key) is None


def test_several_actions_under_one_key_are_one_transaction(alice: User) -> None:
    idempotency_key = replay.key_for(alice.pk, replay.new_key(alice), "a4-a5")
    with pytest.raises(ZeroDivisionError), replay.in_progress(idempotency_key):
        for number in (1, 2):
            with replay.command_transaction():
                post("email", user=alice, match=number)
        raise ZeroDivisionError
    assert not Dispatch.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_without_a_key_an_action_is_a_separate_transaction() -> None:
    with replay.command_transaction():
        assert transaction.get_connection().in_atomic_block
    assert not transaction.get_connection().in_atomic_block


def test_the_digest_of_a_form_reveals_nothing_without_the_servers_key(
    alice: User, settings: Any
) -> None:
    one = replay.key_for(alice.pk, replay.new_key(alice), "a set-up")
    settings.SECRET_KEY = "another"
    same = "0" * signed_keys.SECONDS_DIGITS
    other = replay.key_for(alice.pk, replay.new_key(alice), "a set-up")
    assert same not in (one.key, other.key)
    assert one.digest != other.digest


# --- Who may make keys


@pytest.mark.parametrize(
    "key",
    [
        "",
        "short",
        "x" * 65,
        "with blanks and more of them",
        "f" * 32,
        "0" * 56,
        "f" * 56,
        "\N{FULLWIDTH DIGIT ZERO}" * 56,
    ],
)
def test_an_invented_key_is_refused(alice: User, key: str) -> None:
    with pytest.raises(signed_keys.NotIssued):
        replay.key_for(alice.pk, key, "a4-a5")


def test_a_key_of_another_person_is_refused(alice: User, bob: User) -> None:
    with pytest.raises(signed_keys.NotIssued):
        replay.key_for(bob.pk, replay.new_key(alice), "a4-a5")


@pytest.mark.parametrize("place", [0, 7, 8, 23, 24, 55])
def test_a_key_with_a_changed_digit_is_refused(alice: User, place: int) -> None:
    key = replay.new_key(alice)
    changed = "0" if key[place] != "0" else "1"
    with pytest.raises(signed_keys.NotIssued):
        replay.key_for(alice.pk, key[:place] + changed + key[place + 1 :], "a4-a5")


def test_all_keys_differ(alice: User) -> None:
    assert len({replay.new_key(alice.pk) for _ in range(1000)}) == 1000


def test_a_form_answered_before_the_secret_changed_gets_the_same_response(
    alice: User, settings: Any
) -> None:
    idempotency_key = answered(alice)
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "another", [settings.SECRET_KEY]
    again = replay.key_for(alice.pk, idempotency_key.key, "a4-a5")
    assert replay.stored_response(again) is not None
    with pytest.raises(replay.KeyReused):
        replay.stored_response(replay.key_for(alice.pk, idempotency_key.key, "a4-a6"))
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(signed_keys.NotIssued):
        replay.key_for(alice.pk, idempotency_key.key, "a4-a5")


# --- Old keys


def test_a_key_is_valid_for_three_days(alice: User) -> None:
    key = replay.new_key(alice)
    days = timedelta(days=3).total_seconds()
    with time_machine.travel(time.time() + days - 60):
        assert replay.stored_response(replay.key_for(alice.pk, key, "a4-a5")) is None
    with time_machine.travel(time.time() + days + 60), pytest.raises(replay.KeyOutdated):
        replay.stored_response(replay.key_for(alice.pk, key, "a4-a5"))


def test_an_answered_form_gets_the_same_response_even_with_an_old_key(alice: User) -> None:
    idempotency_key = answered(alice)
    with time_machine.travel(time.time() + signed_keys.LIFETIME.total_seconds() + 60):
        assert replay.stored_response(replay.key_for(alice.pk, idempotency_key.key, "a4-a5"))


# --- Many forms of one person


def own_keys(user: User) -> QuerySet[StoredResponse]:
    return StoredResponse.objects.filter(user=user)


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch) -> int:
    monkeypatch.setattr(replay, "MAX_RESPONSES", 5)
    monkeypatch.setattr(replay, "FORGET_EVERY", 2)
    return 5


def one_after_another(user: User, number: int) -> list[str]:
    """Send `count` forms, one per second. Returns their keys."""
    keys, begun = [], time.time()
    for second in range(number):
        with time_machine.travel(begun + second):
            keys.append(answered(user).key)
    return keys


def test_a_flood_of_forms_of_one_user_keeps_the_newest(alice: User, bob: User, few: int) -> None:
    kept = one_after_another(bob, 1)[0]
    keys = one_after_another(alice, 40)
    # And the marker, and one that was not looked at yet.
    assert own_keys(alice).count() <= few + 2
    for key in keys[-few:]:
        assert replay.stored_response(replay.key_for(alice.pk, key, "a4-a5"))
    assert replay.stored_response(replay.key_for(bob.pk, kept, "a4-a5"))


def test_a_deleted_response_does_not_let_its_key_act_again(alice: User, few: int) -> None:
    never_sent = replay.new_key(alice)
    keys = one_after_another(alice, 40)
    for key in [never_sent, *keys[: -few - 2]]:
        with pytest.raises(replay.KeyOutdated):
            replay.stored_response(replay.key_for(alice.pk, key, "a4-a5"))


def test_a_form_opened_after_a_flood_acts(alice: User, few: int) -> None:
    one_after_another(alice, 40)
    with time_machine.travel(time.time() + 60):
        answered(alice)
    assert Dispatch.objects.count() == 1


def test_looking_for_a_response_costs_one_query(
    alice: User, django_assert_num_queries: Any
) -> None:
    idempotency_key = answered(alice)
    for key in (idempotency_key.key, replay.new_key(alice)):
        with django_assert_num_queries(1):
            replay.stored_response(replay.key_for(alice.pk, key, "a4-a5"))
