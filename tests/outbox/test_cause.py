"""Rows of the outbox keep the id of the request or task that led to them, and logs name it."""

from typing import Any

import pytest
from django.db import transaction

from accounts.models import User
from games.outbox import publishing
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch, Reason
from lib import log_context
from tests.outbox.handlers import post


@pytest.mark.parametrize(
    ("fields", "cause"),
    [
        ({}, ""),
        ({"request_id": "abc"}, "abc"),
        ({"task": "sweep", "task_id": "t-1"}, "t-1"),
        ({"request_id": "mail-7", "task_id": "t-1"}, "mail-7"),
        ({"request_id": "x" * 99}, "x" * 64),
    ],
)
def test_a_row_keeps_the_id_of_its_cause(alice: User, fields: dict[str, Any], cause: str) -> None:
    with log_context.bound(**fields):
        post("nothing", user=alice, match=7)
    assert Dispatch.objects.get().cause == cause


def test_logs_and_rows_of_a_handler_have_the_cause_of_its_row(
    alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[dict[str, Any]] = []

    def handler(dispatch: Dispatch, batch: Any) -> None:
        seen.append(log_context.context())
        with transaction.atomic():
            publishing.enqueue("trial-email", "trial", user=alice, number=1)

    with log_context.bound(request_id="abc"):
        post("nothing", user=alice, match=7)
    row = Dispatch.objects.get()
    monkeypatch.setattr("games.outbox.registry.handler_of", lambda key: handler)
    with log_context.bound(task_id="t-1"):
        (claimed,) = dispatcher.claim()
        dispatcher.deliver(claimed, None)
    assert seen == [
        {
            "task_id": "t-1",
            "dispatch": row.pk,
            "event": "nothing",
            "user": alice.pk,
            "request_id": "abc",
        }
    ]
    assert Dispatch.objects.latest("pk").cause == "abc"


def test_a_row_that_is_sent_again_has_no_reason_any_more(alice: User) -> None:
    post("stale", user=alice, match=7)
    dispatcher.drain()
    assert Dispatch.objects.get().reason == Reason.OUTDATED
    dispatcher.send_again(Dispatch.objects.all())
    assert Dispatch.objects.get().reason == ""


def test_rows_older_than_a_restored_backup_say_so(alice: User) -> None:
    post("nothing", user=alice, match=7)
    row = Dispatch.objects.get()
    assert dispatcher.drop_before(row.created_at.replace(year=9000)) == 1
    assert Dispatch.objects.get().reason == Reason.RESTORED
