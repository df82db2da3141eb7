"""Races on one ply over HTTP with two web servers: one move is played, and none fails.

Repeated forms count once: all get the response of the one that was played.
"""

import json
import os
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from math import ceil
from threading import Barrier
from urllib.parse import urlencode, urlsplit

import pytest

from tests.play.match_helpers import SETUPS
from tests.stack import Stack

RACERS = int(os.environ.get("RACERS", "8"))
PLIES = int(os.environ.get("RACE_PLIES", "8"))
LENGTH = 24  # plies of a match; more would end in a draw at some point
SOUTH, NORTH = SETUPS["lattaque-10x10"]
# Each side has two moves to and fro, so that racers on one ply send different moves.
MOVES = (("a4-a5", "b4-b5", "a5-a4", "b5-b4"), ("j7-j6", "b7-b6", "j6-j7", "b6-b7"))

PREPARE = f"""
import json
from accounts.user_sessions.store import SessionStore
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from accounts.models import User
from games.play.commands import moves
from games.play.commands.matches import open_match
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat

cookies = []
people = [User.objects.create_confirmed(n, n + "@example.org") for n in ("Alice", "Bob")]
for person in people:
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = "accounts.sign_in.auth_backend.Backend"
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    cookies.append(session.session_key)
matches = []
for _ in range({ceil(PLIES / LENGTH)}):
    match = open_match(Terms("lattaque-en"), dict(zip(Seat, people)))
    moves.submit_move(match.pk, people[0], {SOUTH!r}, None)
    moves.submit_move(match.pk, people[1], {NORTH!r}, None)
    matches.append(match.pk)
print(json.dumps([matches, cookies]))
"""
# For each ply, the form issued to its player.
KEYS = f"""
import json
from accounts.models import User
from games.idempotency.replay import new_key
people = User.objects.order_by("pk")[:2]
print(json.dumps([new_key(people[ply % 2]) for ply in range({PLIES})]))
"""
COUNT = """
import json
from games.play.models.ply import Ply
from games.outbox.models import Dispatch
moves = Ply.objects.filter(kind="move").order_by("match", "number")
print(json.dumps([
    list(moves.values_list("number", flat=True)),
    Dispatch.objects.filter(event="turn-came").count(),
]))
"""


@dataclass
class Race:
    """Running matches of Alice and Bob on two web servers, and how to post moves to them."""

    service: Stack
    matches: list[int]
    cookies: list[str]

    def all_at_once(
        self, ply: int, moves: Sequence[str], **fields: str
    ) -> list[tuple[int, str | None]]:
        """Send a form for each move on one ply concurrently; returns each status and redirect.

        Plies are counted from the first of the first match to the last of the last.
        """
        start = Barrier(len(moves))

        def racer(number: int) -> tuple[int, str | None]:
            start.wait()
            return self._post(number, ply, moves[number], **fields)

        with ThreadPoolExecutor(len(moves)) as racers:
            return list(racers.map(racer, range(len(moves))))

    def _post(self, racer: int, ply: int, move: str, **fields: str) -> tuple[int, str | None]:
        server = urlsplit(self.service.url(f"web{racer % 2 + 1}")).netloc
        headers = {
            "Cookie": f"sessionid={self.cookies[ply % 2]}; csrftoken={'c' * 32}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        number = 2 + ply % LENGTH
        form = {"move": move, "ply": number, "csrfmiddlewaretoken": "c" * 32, **fields}
        with closing(HTTPConnection(server, timeout=60)) as connection:
            connection.request("POST", f"{self.page(ply)}move/", urlencode(form), headers)
            answer = connection.getresponse()
            return answer.status, answer.getheader("Location")

    def page(self, ply: int) -> str:
        return f"/match/{self.matches[ply // LENGTH]}/"

    def check_record(self) -> None:
        """Each ply is played once, with one e-mail for each turn."""
        numbers, emails = json.loads(self.service.shell(COUNT).splitlines()[-1])
        assert numbers == [3 + ply % LENGTH for ply in range(PLIES)]
        assert emails == PLIES + len(self.matches)


@pytest.fixture
def race(stack: Callable[..., Stack], database_url: str | None) -> Race:
    service = stack(database_url=database_url, web=2, workers=0, beat=0)
    return Race(service, *json.loads(service.shell(PREPARE).splitlines()[-1]))


@pytest.mark.servers
def test_exactly_one_of_many_racers_on_one_ply_is_played(race: Race) -> None:
    answers: Counter[int] = Counter()
    for ply in range(PLIES):
        # Two of the four moves are always legal, the other two go back.
        given = race.all_at_once(ply, [MOVES[ply % 2][racer % 4] for racer in range(RACERS)])
        answers.update(status for status, _location in given)

    race.check_record()
    assert not [status for status in answers if status >= 500], answers
    # Requests with the move that was played get its response; all others are refused.
    assert set(answers) <= {302, 409, 422}, answers


@pytest.mark.servers
def test_the_same_form_sent_many_times_acts_once_and_gets_one_response(race: Race) -> None:
    keys = json.loads(race.service.shell(KEYS).splitlines()[-1])

    def send(ply: int, times: int) -> None:
        # To and fro: every fourth ply is the same.
        move = MOVES[ply % 2][ply // 2 % 2 * 2]
        given = race.all_at_once(ply, [move] * times, idempotency_key=keys[ply])
        assert set(given) == {(302, race.page(ply))}

    for ply in range(PLIES):
        send(ply, RACERS)
    for name in ("web1", "web2"):
        race.service.restart(name)
    # The same form sent again hours later gets the same response.
    for ply in range(PLIES):
        send(ply, 2)
    race.check_record()
