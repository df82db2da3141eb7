"""Real workers with a real mail server: several at once, killed, and without a broker."""

import time
from collections import Counter
from collections.abc import Callable
from email import message_from_bytes
from typing import Any

import pytest

from games.outbox.models import PENDING, Dispatch
from tests import tiers
from tests.servers import Postgres, Redis, SmtpSink, wait_for
from tests.stack import Stack

pytestmark = pytest.mark.servers

SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.outbox.settings"}
LEASE_SECONDS = 2  # in those settings
POST = """
import time
from django.db import transaction
from games.outbox.publishing import publish
from tests.outbox.handlers import Ended
started = time.monotonic()
with transaction.atomic():
    for match in range({count}):
        publish(Ended(match=match))
print(time.monotonic() - started)
"""


def ids(sink: SmtpSink) -> Counter[str]:
    return Counter(message_from_bytes(email)["Message-ID"] for email in sink.emails)


@pytest.fixture(params=tiers.parameters(("embedded", "large"), fast=("large",)))
def servers(request: pytest.FixtureRequest) -> dict[str, Any]:
    """The embedded default, or PostgreSQL and Redis with the prefork pool."""
    if request.param == "embedded":
        return {}
    postgres: Postgres = request.getfixturevalue("postgres")
    redis_server: Redis = request.getfixturevalue("redis_server")
    urls = {"database_url": postgres.create("worker"), "broker_url": redis_server.url}
    return {**urls, "pool": "prefork"}


def test_workers_killed_between_the_rows_of_an_event_lose_nothing(
    stack: Callable[..., Stack], servers: dict[str, Any], smtp_sink: SmtpSink
) -> None:
    options = {"web": 0, "workers": 2, "beat": 2, "email_url": smtp_sink.url, "extra": SETTINGS}
    running = stack(**options, **servers)
    smtp_sink.delay = 0.05
    running.shell(POST.format(count=40))  # two rows each
    wait_for(lambda: len(smtp_sink.emails) >= 10, "E-mails should go out.")
    for name in ("worker1", "worker2"):
        running.restart(name)
    time.sleep(LEASE_SECONDS)
    # Their leases have ended; without this, a tick would find the rows.
    running.shell("from games.outbox.wake_worker import wake_worker; wake_worker()")
    wait_for(lambda: len(ids(smtp_sink)) == 80, "Every e-mail should go out.")
    wait_for(
        lambda: not running.ask(Dispatch.objects.filter(PENDING).values_list("pk")),
        "Every row should be marked as sent.",
    )
    # Only the e-mails that the killed dispatchers were sending may be sent twice.
    assert len(smtp_sink.emails) <= 80 + 2


@pytest.mark.soak
def test_an_unreachable_broker_delays_no_publisher_and_loses_no_email(
    stack: Callable[..., Stack], smtp_sink: SmtpSink
) -> None:
    running = stack(
        web=0,
        workers=0,
        beat=0,
        broker_url="redis://127.0.0.1:1/0",
        email_url=smtp_sink.url,
        extra=SETTINGS,
    )
    assert float(running.shell(POST.format(count=1))) < 0.5
    running.shell("from games.outbox.delivery import dispatcher; dispatcher.drain()")
    assert len(smtp_sink.emails) == 2
