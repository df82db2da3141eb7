"""Eight racers on one ply, over HTTP and the real web server: one is played, none is an error.

Eight times the same form is one form: all are answered as the one that was played.
"""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from http.client import HTTPConnection
from threading import Barrier
from urllib.parse import urlencode, urlsplit

import pytest

from tests.play.tables import SETUPS
from tests.servers import Postgres
from tests.stack import Stack

RACERS, PLIES = 8, 24
SOUTH, NORTH = SETUPS["lattaque-10x10"]
# Each side has two ways to go to and fro, so that racers on one ply want different moves.
MOVES = (("a4-a5", "b4-b5", "a5-a4", "b5-b4"), ("j7-j6", "b7-b6", "j6-j7", "b6-b7"))

PREPARE = f"""
import json
from django.contrib.sessions.backends.db import SessionStore
from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
from accounts.models import User
from games.play import commands
from games.rules.core.army import Seat

cookies = []
people = [User.objects.create_confirmed(n, n + "@example.org") for n in ("Alice", "Bob")]
for person in people:
    session = SessionStore()
    session[SESSION_KEY] = str(person.pk)
    session[BACKEND_SESSION_KEY] = "allauth.account.auth_backends.AuthenticationBackend"
    session[HASH_SESSION_KEY] = person.get_session_auth_hash()
    session.save()
    cookies.append(session.session_key)
match = commands.open_match(preset="lattaque-en", switches={{}}, pace="3d", setup_pace="3d",
                            seats=dict(zip(Seat, people)))
commands.submit_move(match.pk, people[0], {SOUTH!r}, None)
commands.submit_move(match.pk, people[1], {NORTH!r}, None)
print(json.dumps([match.pk, cookies]))
"""
COUNT = """
import json
from games.play.models.ply import Ply
from games.relay.models import Dispatch
print(json.dumps([
    list(Ply.objects.filter(kind="move").order_by("number").values_list("number", flat=True)),
    Dispatch.objects.filter(event="turn-came").count(),
]))
"""


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str | None:
    if request.param == "sqlite":
        return None
    server: Postgres = request.getfixturevalue("postgres")
    return server.create("racers")


@dataclass
class Race:
    """A running match of Alice and Bob on two web servers, and how to post moves to it."""

    service: Stack
    match_id: int
    cookies: list[str]

    def all_at_once(
        self, ply: int, moves: Sequence[str], **fields: str
    ) -> list[tuple[int, str | None]]:
        """Send a form for each move on one ply, all at once; each status and where it leads."""
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
        form = {"move": move, "ply": ply + 2, "csrfmiddlewaretoken": "c" * 32, **fields}
        with closing(HTTPConnection(server, timeout=60)) as connection:
            connection.request("POST", f"/match/{self.match_id}/move/", urlencode(form), headers)
            answer = connection.getresponse()
            return answer.status, answer.getheader("Location")

    def played(self) -> tuple[list[int], int]:
        """The numbers of the plies that are moves, and how many letters were posted."""
        numbers, letters = json.loads(self.service.shell(COUNT).splitlines()[-1])
        return numbers, letters


@pytest.fixture
def race(stack: Callable[..., Stack], database_url: str | None) -> Race:
    service = stack(database_url=database_url, web=2, workers=0, beat=0)
    match_id, cookies = json.loads(service.shell(PREPARE).splitlines()[-1])
    return Race(service, match_id, cookies)


@pytest.mark.servers
def test_of_eight_racers_on_one_ply_exactly_one_is_played(race: Race) -> None:
    answers: Counter[int] = Counter()
    for ply in range(PLIES):
        # Two of the four moves are legal at any time, the other two go back.
        given = race.all_at_once(ply, [MOVES[ply % 2][racer % 4] for racer in range(RACERS)])
        answers.update(status for status, _location in given)

    numbers, letters = race.played()
    assert numbers == list(range(3, 3 + PLIES))
    assert letters == PLIES + 1
    assert not [status for status in answers if status >= 500], answers
    # Whoever sent the very move that was played is told so; all others are refused.
    assert set(answers) <= {302, 409, 422}, answers


@pytest.mark.servers
def test_eight_times_the_same_form_acts_once_and_is_answered_alike(race: Race) -> None:
    for ply in range(PLIES):
        # There and back again, every fourth ply the same.
        move = MOVES[ply % 2][ply // 2 % 2 * 2]
        given = race.all_at_once(ply, [move] * RACERS, once=f"the-key-of-ply-number-{ply}")
        assert set(given) == {(302, f"/match/{race.match_id}/")}

    numbers, letters = race.played()
    assert numbers == list(range(3, 3 + PLIES))
    assert letters == PLIES + 1
