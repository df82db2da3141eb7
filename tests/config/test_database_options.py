"""What the service asks of PostgreSQL for each of its connections."""

import pytest

from tests.pooler import pooler
from tests.servers import Postgres
from tests.stack import Stack

pytestmark = pytest.mark.servers

SHOW_JIT = """
from django.db import connection
with connection.cursor() as cursor:
    cursor.execute("SHOW jit")
    print(cursor.fetchone()[0])
"""


def test_postgresql_compiles_no_query_of_the_service(postgres: Postgres) -> None:
    assert _jit(postgres.create("plain")) == "off"


@pytest.mark.soak
def test_nor_does_it_behind_a_pooler(postgres: Postgres) -> None:
    with pooler(postgres.create("pooled")) as url:
        assert _jit(url, TRANSACTION_POOLING="true") == "off"


def _jit(url: str, **extra: str) -> str:
    service = Stack(database_url=url, web=0, workers=0, beat=0, extra=extra)
    try:
        service.manage("prepare")
        return service.shell(SHOW_JIT).strip()
    finally:
        service.stop()
