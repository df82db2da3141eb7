"""Mailboxes of programs that died do not fill up for ever."""

from datetime import timedelta

import pytest
from django.utils import timezone

from config.models import Binding, Message
from config.tasks import tidy

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("queue", "age", "kept"),
    [
        ("dead@here.celery.pidbox", timedelta(hours=2), False),
        ("0123.reply.celery.pidbox", timedelta(hours=2), False),
        ("slow@here.celery.pidbox", timedelta(minutes=5), True),
        ("celery", timedelta(days=2), True),
    ],
)
def test_a_mailbox_that_nobody_has_read_for_an_hour_is_taken_down(
    queue: str, age: timedelta, kept: bool
) -> None:
    Binding.objects.create(exchange="celery.pidbox", routing_key="", queue=queue)
    Message.objects.create(queue=queue, visible_at=timezone.now() - age, payload="{}")
    tidy()
    assert Binding.objects.exists() == Message.objects.exists() == kept
