"""Rows that are made once for the tests of a module, each of which leaves them unchanged."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db import transaction
from pytest_django import DjangoDbBlocker


@contextmanager
def shared_rows(blocker: DjangoDbBlocker) -> Iterator[None]:
    """A transaction around the tests of a module: what is written at its beginning stays for them.

    For a fixture of scope "module", which asks for `django_db_setup` and yields within it. Each
    test rolls back to a savepoint, so no test of the module may commit.
    """
    with blocker.unblock(), transaction.atomic():
        yield
        transaction.set_rollback(True)
