"""The database's clock and rows that are due now."""

from unittest.mock import patch

import pytest
from django.db import connection
from django.db.models import DateTimeField
from django.db.models.expressions import RawSQL

from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from lib import db_clock
from tests.outbox.handlers import post

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite keeps instants as text")
@pytest.mark.parametrize("fraction", ["000", "001", "100", "999"])
def test_a_row_published_in_this_millisecond_is_due(fraction: str) -> None:
    instant = f"'2026-11-21 15:28:00.{fraction}'"
    post("nothing", match=7)
    Dispatch.objects.update(not_before=RawSQL(instant, (), output_field=DateTimeField()))
    with patch.dict(db_clock.CURRENT_TIME_SQL, sqlite=f"SELECT {instant}"):
        assert dispatcher.drain() == 1
