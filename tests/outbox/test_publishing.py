"""Publishing: in the causing transaction, one row per subscriber and user, ids only."""

from typing import Any

import pytest
from django.db import IntegrityError, transaction
from django.utils.module_loading import import_string

from accounts.models import User
from config.subscribers import HANDLERS, NOTIFICATIONS, SUBSCRIBERS
from games.notifications import catalogue
from games.outbox.events import Event, Person, people
from games.outbox.models import Dispatch
from games.outbox.publishing import enqueue, publish, was_published
from games.outbox.registry import Subscriber
from tests.outbox.handlers import Codes, Moved

pytestmark = pytest.mark.postgresql


def rows() -> list[tuple[str, str, int | None, dict[str, int]]]:
    dispatches = Dispatch.objects.order_by("handler", "user")
    return [(row.handler, row.event, row.user_id, row.ref) for row in dispatches]


def test_each_subscriber_gets_the_rows_that_it_wants(alice: User, bob: User) -> None:
    publish(Moved(match=7, ply=12, people=people([alice, bob])))
    ids = {"match": 7, "ply": 12}
    assert rows() == [
        ("nothing", "moved", None, ids),
        ("stale", "moved", alice.pk, ids),
        ("stale", "moved", bob.pk, ids),
    ]


def test_a_subscriber_that_wants_no_row_gets_none(alice: User) -> None:
    publish(Moved(match=7, ply=12, people=(Person(alice.pk, house=True),)))
    assert [handler for handler, *_ in rows()] == ["nothing"]


def test_an_event_published_twice_has_its_rows_once(alice: User) -> None:
    for _ in range(2):
        publish(Moved(match=7, ply=12, people=people([alice])))
    assert Dispatch.objects.count() == 2


def test_an_event_declared_new_is_no_duplicate(alice: User) -> None:
    moved = Moved(match=7, ply=12, people=people([alice]))
    publish(moved, is_new=True)
    assert Dispatch.objects.count() == 2
    with pytest.raises(IntegrityError), transaction.atomic():
        publish(moved, is_new=True)


def test_another_ply_or_user_is_another_row(alice: User, bob: User) -> None:
    publish(Moved(match=7, ply=12, people=people([alice])))
    publish(Moved(match=7, ply=12, people=people([bob])))
    publish(Moved(match=7, ply=13, people=people([bob])))
    assert [handler for handler, *_ in rows()].count("stale") == 3
    assert [handler for handler, *_ in rows()].count("nothing") == 2


def test_publish_returns_whether_there_were_rows(alice: User, bob: User) -> None:
    event = Moved(match=7, ply=12, people=people([alice]))
    assert not was_published([event])
    publish(event)
    assert was_published([Codes(email=1), event])
    assert not was_published([Codes(email=1)])


def test_a_rollback_publishes_nothing(db: None) -> None:
    with transaction.atomic():
        publish(Codes(email=1))
        transaction.set_rollback(True)
    assert not Dispatch.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_publishing_outside_a_transaction_is_refused() -> None:
    with pytest.raises(transaction.TransactionManagementError, match="in the transaction"):
        publish(Codes(email=1))


def test_an_event_without_an_entry_is_refused(db: None) -> None:
    class Hearsay(Event):
        name = "hearsay"

    with pytest.raises(LookupError, match="no entry for hearsay"):
        publish(Hearsay())


@pytest.mark.parametrize("secret", ["Captain", True, 1.5, None])
def test_only_ids_can_be_published(db: None, secret: Any) -> None:
    with pytest.raises(TypeError, match="ids only"):
        publish(Codes(email=secret))


def test_an_event_and_a_subscriber_are_one_entry_each(
    alice: User, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A subscriber without a user gets one row for each match, as ratings will."""
    settings.OUTBOX_SUBSCRIBERS = "config.subscribers.SUBSCRIBERS"
    ended = next(event for event in SUBSCRIBERS if event.name == "match-over")
    ratings = Subscriber("ratings", "tests.outbox.handlers.on_nothing")
    monkeypatch.setitem(SUBSCRIBERS, ended, (*SUBSCRIBERS[ended], ratings))
    monkeypatch.setitem(SUBSCRIBERS, Moved, (ratings,))
    publish(ended(match=7, ply=60, people=people([alice])))  # type: ignore[call-arg]
    publish(Moved(match=7, ply=12))
    assert [(handler, event) for handler, event, *_ in rows()] == [
        ("followers", "match-over"),
        ("notify", "match-over"),
        ("ratings", "match-over"),
        ("ratings", "moved"),
        ("tournament-ended", "match-over"),
    ]


def test_every_notification_is_in_the_table_and_no_other_event_notifies() -> None:
    notifying = {event for event, several in SUBSCRIBERS.items() if NOTIFICATIONS in several}
    assert notifying == {entry.event for entry in catalogue.NOTIFICATIONS.values()}


def test_names_and_keys_are_unique() -> None:
    names = [event.name for event in SUBSCRIBERS]
    assert len(names) == len(set(names))
    paths: dict[str, set[str]] = {key: {path} for key, path in HANDLERS.items()}
    for subscriber in (one for several in SUBSCRIBERS.values() for one in several):
        paths.setdefault(subscriber.key, set()).add(subscriber.handler)
    assert all(len(several) == 1 for several in paths.values())


@pytest.mark.parametrize(
    "path",
    sorted({*HANDLERS.values(), *(one.handler for each in SUBSCRIBERS.values() for one in each)}),
)
def test_every_key_has_a_function(path: str) -> None:
    assert callable(import_string(path))


def test_a_row_can_be_queued_for_one_handler(alice: User) -> None:
    enqueue("stale", "moved", user=alice, match=7)
    assert rows() == [("stale", "moved", alice.pk, {"match": 7})]


def test_a_row_for_an_unknown_handler_is_refused(db: None) -> None:
    with pytest.raises(LookupError, match="pigeon"):
        enqueue("pigeon", "moved", match=7)


def test_a_message_id_is_the_same_at_every_attempt_and_cannot_be_guessed(db: None) -> None:
    enqueue("nothing", "moved", match=7)
    enqueue("nothing", "moved", match=8)
    first, second = Dispatch.objects.order_by("pk")
    assert first.message_id == Dispatch.objects.get(pk=first.pk).message_id
    assert first.message_id.startswith(f"<o{first.pk}.")
    assert first.message_id.partition(".")[2] != second.message_id.partition(".")[2]
