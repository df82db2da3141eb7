"""The service behind PgBouncer in transaction mode, as docs/running/processes.md configures it."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.cookiejar import CookieJar
from urllib.parse import urlencode
from urllib.request import HTTPCookieProcessor, build_opener

import pytest

from tests import tiers
from tests.pooler import pooler
from tests.servers import Postgres
from tests.stack import Stack

pytestmark = pytest.mark.servers

VISITORS = 4  # no more at once than guesses are tried at one account
ADD_ANN = """
from accounts.models import User
User.objects.create_confirmed("Annabel", "ann@example.org", "troop of foxes")
"""


@pytest.fixture
def pooled(postgres: Postgres) -> Iterator[str]:
    """The URL of a new database behind a pooler with few connections."""
    with pooler(postgres.create("pooled")) as url:
        yield url


@pytest.mark.parametrize("log_ins", tiers.parameters((8, 24), fast=(8,)))
def test_all_clients_are_served_behind_a_pooler(pooled: str, log_ins: int) -> None:
    with Stack(
        database_url=pooled, web=2, workers=1, beat=0, extra={"TRANSACTION_POOLING": "true"}
    ) as service:
        service.shell(ADD_ANN)

        def log_in(number: int) -> list[int]:
            base = service.url(f"web{number % 2 + 1}")
            opener = build_opener(HTTPCookieProcessor(CookieJar()))
            page = opener.open(f"{base}account/login/").read().decode()
            token = re.search(r'csrfmiddlewaretoken" value="([^"]+)', page)
            assert token is not None
            form = {
                "csrfmiddlewaretoken": token[1],
                "login": "Annabel",
                "password": "troop of foxes",
            }
            answers = [opener.open(f"{base}account/login/", urlencode(form).encode())]
            answers += [opener.open(f"{base}{path}") for path in ("", "lobby/", "notifications/")]
            return [answer.status for answer in answers]

        with ThreadPoolExecutor(VISITORS) as visitors:
            statuses = [
                status
                for statuses_of_visitor in visitors.map(log_in, range(log_ins))
                for status in statuses_of_visitor
            ]
        assert statuses == [200] * 4 * log_ins
