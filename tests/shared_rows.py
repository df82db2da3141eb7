"""Rows that are made once for the tests of a module, each of which leaves them as it found them."""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from django.db import connection, transaction
from pytest_django import DjangoDbBlocker


@contextmanager
def shared_rows(blocker: DjangoDbBlocker) -> Iterator[None]:
    """A transaction around the tests of a module: what is written at its beginning stays for them.

    For a fixture of scope "module", which asks for `django_db_setup` and yields within it. Each
    test rolls back to a savepoint, so a test that commits may not ask for such a fixture.
    """
    with blocker.unblock(), transaction.atomic(), pytest.MonkeyPatch.context() as patched:
        # Django would close the connection after each test, and the transaction with it.
        patched.setattr(connection, "close", lambda: None)
        yield
        transaction.set_rollback(True)
