import gc
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from celery import current_app
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, connection, transaction
from django.test import Client
from pytest_django import Settings

from games.rules import registry
from tests.secrecy import chance
from tests.secrecy.scene import Scene, build
from tests.secrecy.worlds import messages


@pytest.fixture(scope="module")
def stage(django_db_setup: None, django_db_blocker: Any) -> Iterator[Scene | None]:
    """The scene is set up once for all tests of a module: each leaves it unchanged.

    None on PostgreSQL, whose connection Django closes after every test.
    """
    # Celery makes its tasks and its line to the broker when they are first needed, and says so.
    current_app.loader.import_default_modules()
    current_app.finalize()
    assert list(messages()), "A wake-up should reach the broker."
    if connection.vendor != "sqlite":
        yield None
        return
    with django_db_blocker.unblock(), transaction.atomic():
        laid_out = lay_out()
        # What is there by now stays, and need not be looked through for refuse again and again.
        gc.collect()
        gc.freeze()
        yield laid_out
        gc.unfreeze()
        transaction.set_rollback(True)


@pytest.fixture
def scene(stage: Scene | None, db: None, settings: Settings) -> Iterator[Scene]:
    # The admin has a test of its own for its second factor.
    settings.STAFF_NEEDS_MFA = False
    # E-mails bring addresses to answer to, and say what may be answered.
    settings.MAIL_REPLIES = "true"
    # The counts of one world would go on in the other.
    settings.API_LIMITS = {}
    laid_out = stage or lay_out()
    with chance.tamed(), keeping_the_connection():
        yield laid_out


@contextmanager
def keeping_the_connection() -> Iterator[None]:
    """No request closes the line to the database: here they all lie in one transaction."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def lay_out() -> Scene:
    with chance.tamed() as drawn:
        drawn.begin("scene")
        # The first of these pages draws its pictures, which is long enough for a line in the log.
        for family in registry.games:
            assert Client().get(f"/help/{family}/").status_code == 200
        return build()
