"""Concurrent guesses at an e-mailed code: each counts, so twenty at once get no more attempts."""

import re
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import urlencode, urlsplit

import psycopg
import pytest

from tests.servers import Postgres, wait_for
from tests.stack import Stack

WEB_SERVERS = 5
GUESSES = 20  # as many as five web servers handle at once
WRONG, ALLOWED = "XXXX-XXXX", 3
CONFIRM = "/account/login/code/confirm/"
ADD_ANN = """
from accounts.models import User
User.objects.create_confirmed("Annabel", "ann@example.org", "troop of foxes")
"""
HOLD = "LOCK TABLE accounts_session IN SHARE ROW EXCLUSIVE MODE"
LOCK_WAITS = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"


class Guesser:
    """A visitor who has requested a code to sign in."""

    def __init__(self, service: Stack) -> None:
        self._service = service
        self._session = ""
        _status, self._session = self.post("/account/login/code/", email="ann@example.org")

    def post(self, path: str, web: int = 1, **fields: str) -> tuple[int, str]:
        """Send a form; returns the status, and the session of the response or the current one."""
        headers = {
            "Cookie": f"csrftoken={'c' * 32}; sessionid={self._session}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        form = urlencode({"csrfmiddlewaretoken": "c" * 32, **fields})
        netloc = urlsplit(self._service.url(f"web{web}")).netloc
        with closing(HTTPConnection(netloc, timeout=60)) as connection:
            connection.request("POST", path, form, headers)
            answer = connection.getresponse()
            cookies = answer.getheader("Set-Cookie") or ""
            cookie = re.search(r"sessionid=(\w+)", cookies)
            return answer.status, cookie[1] if cookie else self._session

    def is_let_in(self, code: str) -> bool:
        _status, session = self.post(CONFIRM, code=code)
        return session != self._session


def newest_code(service: Stack) -> str:
    service.shell("from games.outbox.delivery.dispatcher import drain; drain()")
    folder = service.var / "mail"
    code_matches = [
        re.search(r"^    ([A-Z]{4}-[A-Z]{4})", m.read_text(), re.M) for m in folder.iterdir()
    ]
    (code,) = [match[1] for match in code_matches if match]
    return code


@pytest.mark.servers
def test_simultaneous_guesses_do_not_exceed_the_limit(
    stack: Callable[..., Stack], postgres: Postgres
) -> None:
    url = postgres.create("guesses")
    service = stack(database_url=url, web=WEB_SERVERS, workers=0, beat=0)
    service.shell(ADD_ANN)
    guesser = Guesser(service)
    code = newest_code(service)

    def guess(number: int) -> int:
        return guesser.post(CONFIRM, web=1 + number % WEB_SERVERS, code=WRONG)[0]

    with ThreadPoolExecutor(GUESSES) as racers, psycopg.connect(url) as hold:
        # No guess writes until all have read the session as it was before the first.
        hold.execute(HOLD)
        answers = [racers.submit(guess, number) for number in range(GUESSES)]
        with psycopg.connect(url, autocommit=True) as look:
            wait_for(lambda: look.execute(LOCK_WAITS).fetchone()[0] == GUESSES, "All should wait.")
        hold.commit()
        assert {answer.result() for answer in answers} <= {200, 302, 400}

    assert not guesser.is_let_in(code)
    with psycopg.connect(url) as look:
        counted = look.execute("SELECT max(guesses) FROM accounts_session").fetchone()
    assert counted == (ALLOWED,)


@pytest.mark.soak
@pytest.mark.servers
def test_the_right_code_at_the_third_guess_signs_in(
    stack: Callable[..., Stack], postgres: Postgres
) -> None:
    service = stack(database_url=postgres.create("guess"), web=1, workers=0, beat=0)
    service.shell(ADD_ANN)
    guesser = Guesser(service)
    code = newest_code(service)
    for _ in range(ALLOWED - 1):
        assert not guesser.is_let_in(WRONG)
    assert guesser.is_let_in(code)
