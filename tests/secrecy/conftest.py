import gc
from collections.abc import Iterator

import pytest
from celery import current_app
from django.db import transaction

from tests.secrecy import chance
from tests.secrecy.scene import Scene, build
from tests.secrecy.worlds import messages


@pytest.fixture(scope="module")
def stage(django_db_setup, django_db_blocker) -> Iterator[Scene]:
    """The scene is laid out once for all tests of a module: each leaves it as it found it."""
    # Celery makes its tasks and its line to the broker when they are first needed, and says so.
    current_app.loader.import_default_modules()
    current_app.finalize()
    assert list(messages()), "A wake-up should reach the broker."
    with django_db_blocker.unblock(), chance.tamed() as drawn, transaction.atomic():
        drawn.begin("scene")
        laid_out = build()
        # What is there by now stays, and need not be looked through for refuse again and again.
        gc.collect()
        gc.freeze()
        yield laid_out
        gc.unfreeze()
        transaction.set_rollback(True)


@pytest.fixture
def scene(stage: Scene, db: None, settings) -> Iterator[Scene]:
    # The office has a test of its own for its second factor.
    settings.STAFF_NEEDS_MFA = False
    with chance.tamed():
        yield stage
