"""Handing in: with its cause, once, and nothing but ids."""

import pytest
from django.db import transaction
from django.utils.module_loading import import_string

from accounts.models import User
from config.outbox_handlers import HANDLERS, handlers_of
from games.notifications import catalogue
from games.outbox.models import Dispatch
from games.outbox.publishing import post, post_to

pytestmark = pytest.mark.postgresql


def test_a_post_writes_a_row_for_each_handler(alice: User) -> None:
    post("two-things", user=alice, match=7, ply=12)

    rows = Dispatch.objects.order_by("handler")
    assert [row.handler for row in rows] == ["nothing", "stale"]
    assert all(row.user == alice and row.ref == {"match": 7, "ply": 12} for row in rows)


def test_the_same_posted_twice_stands_once(alice: User) -> None:
    post("nothing", user=alice, match=7, ply=12)
    post("nothing", user=alice.pk, ply=12, match=7)
    assert Dispatch.objects.count() == 1


def test_another_ply_or_person_is_another_dispatch(alice: User) -> None:
    post("nothing", user=alice, match=7, ply=12)
    post("nothing", user=alice, match=7, ply=13)
    post("nothing", match=7, ply=12)
    assert Dispatch.objects.count() == 3


def test_what_is_rolled_back_posts_nothing(db: None) -> None:
    with transaction.atomic():
        post("nothing", match=7)
        transaction.set_rollback(True)
    assert not Dispatch.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_a_post_outside_a_transaction_is_refused() -> None:
    with pytest.raises(transaction.TransactionManagementError, match="in the transaction"):
        post("nothing", match=7)


def test_an_event_that_nobody_knows_is_refused(db: None) -> None:
    with pytest.raises(LookupError, match="no handler of hearsay"):
        post("hearsay", match=7)


@pytest.mark.parametrize("secret", ["Captain", True, 1.5, None])
def test_nothing_but_ids_may_be_posted(db: None, secret: object) -> None:
    with pytest.raises(TypeError, match="ids only"):
        post("nothing", match=secret)  # type: ignore[arg-type]


@pytest.mark.parametrize("event", catalogue.NOTIFICATIONS)
def test_every_notification_has_a_handler(event: str) -> None:
    assert set(handlers_of(event)) <= HANDLERS.keys() and handlers_of(event)


@pytest.mark.parametrize("path", HANDLERS.values())
def test_every_key_means_a_function(path: str) -> None:
    assert callable(import_string(path))


def test_a_row_for_one_handler_alone(alice: User) -> None:
    post_to("stale", "two-things", user=alice, match=7)
    assert [row.handler for row in Dispatch.objects.all()] == ["stale"]


def test_a_row_for_a_handler_that_nobody_knows_is_refused(db: None) -> None:
    with pytest.raises(LookupError, match="pigeon"):
        post_to("pigeon", "nothing", match=7)


def test_a_message_id_is_the_same_at_every_attempt_and_guessed_by_nobody(db: None) -> None:
    post("nothing", match=7)
    post("nothing", match=8)
    first, second = Dispatch.objects.order_by("pk")
    assert first.message_id == Dispatch.objects.get(pk=first.pk).message_id
    assert first.message_id.startswith(f"<o{first.pk}.")
    assert first.message_id.partition(".")[2] != second.message_id.partition(".")[2]
