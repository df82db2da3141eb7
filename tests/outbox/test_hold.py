"""HOLD_EMAILS: a restored copy sends nothing until it is released, and then nothing twice."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import transaction

from accounts.models import User
from games.outbox.delivery import dispatcher
from games.outbox.models import PENDING, Dispatch
from games.outbox.publishing import publish
from lib.db_clock import now
from tests.outbox.handlers import Codes, post

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.fixture
def held(settings: Any) -> None:
    settings.HOLD_EMAILS = True


def waiting() -> int:
    return Dispatch.objects.filter(PENDING).count()


def post_all(user: User) -> None:
    with transaction.atomic():
        post("email", user=user, match=1)
        post("call", user=user, match=1)
        publish(Codes(email=1))


def release(**options: object) -> str:
    output = StringIO()
    call_command("release_emails", stdout=output, **options)
    return output.getvalue()


def test_nothing_is_sent_while_it_is_on(held: None, alice: User) -> None:
    post_all(alice)
    assert dispatcher.drain() == 0
    assert waiting() == 3 and not mail.outbox
    assert not Dispatch.objects.filter(lease_until__isnull=False).exists()


def test_without_it_everything_is_sent(held: None, alice: User, settings: Any) -> None:
    post_all(alice)
    dispatcher.drain()
    settings.HOLD_EMAILS = False
    dispatcher.drain()
    assert waiting() == 0 and len(mail.outbox) == 2


def test_rows_that_the_original_may_have_sent_are_dropped_and_others_sent(
    held: None, alice: User, settings: Any
) -> None:
    post_all(alice)
    Dispatch.objects.update(created_at=now() - timedelta(hours=3))
    with transaction.atomic():
        post("email", user=alice, match=2)
    hour_ago = (now() - timedelta(hours=1)).isoformat()
    assert "3 of 4 waiting messages would be dropped." in release(
        drop_before=hour_ago, dry_run=True
    )
    output = release(drop_before=hour_ago)
    assert "Dropped 3 waiting messages; 1 are left." in output and "HOLD_EMAILS is on" in output
    assert "Dropped 0" in release(drop_before=hour_ago)
    settings.HOLD_EMAILS = False
    dispatcher.drain()
    assert len(mail.outbox) == 1


def test_an_invalid_instant_is_refused(held: None) -> None:
    with pytest.raises(CommandError, match="is not an instant"):
        call_command("release_emails", "--drop-before", "yesterday")


def test_a_row_number_used_again_after_a_restore_gives_another_message_id(
    alice: User,
) -> None:
    post_all(alice)
    row = Dispatch.objects.earliest("pk")
    before = row.message_id
    assert Dispatch.objects.get(pk=row.pk).message_id == before
    row.created_at += timedelta(days=1)
    assert row.message_id != before
