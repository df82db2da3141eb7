"""The real service with two players who have tokens, and programs that play over HTTP."""

import http.client
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any
from urllib.parse import urlsplit

from games.bots.levels import RECRUIT
from games.bots.player import choose
from games.deployments.registry import deploy
from games.protocol.reading import read_line
from tests.stack import Stack

NAMES = ("Alice", "Bob")
MADE = """
from accounts.models import User
from accounts.tokens import making
for name in {names}:
    user = User.objects.create_confirmed(name, name + "@example.org", match_emails=False)
    print(making.create(user, "test", making.SCOPES).text)
"""
TIMEOUT_SECONDS = 60
ATTEMPTS = 3000


class Caller:
    """A token's requests, over a connection that is kept open; answers as they come."""

    def __init__(self, url: str, token: str) -> None:
        parts = urlsplit(url)
        self.address, self.token = (parts.hostname or "", parts.port), token
        self.connection = self._connect()

    def _connect(self) -> http.client.HTTPConnection:
        return http.client.HTTPConnection(*self.address, timeout=TIMEOUT_SECONDS)

    def send(
        self, method: str, path: str, body: object = None, key: str = ""
    ) -> tuple[int, bytes, http.client.HTTPMessage]:
        """Status, content and headers. Raises OSError or HTTPException if there is no answer."""
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        headers |= {"Idempotency-Key": key} if key else {}
        data = None if body is None else json.dumps(body)
        try:
            self.connection.request(method, f"/api/v1{path}", data, headers)
            response = self.connection.getresponse()
            return response.status, response.read(), response.headers
        except (OSError, http.client.HTTPException):
            self.connection.close()
            raise

    def read(self, path: str) -> Any:
        status, content, _headers = self.send("GET", path)
        assert status == 200, content
        return json.loads(content)

    def post(self, path: str, body: object = None, key: str = "") -> Any:
        status, content, _headers = self.send("POST", path, body, key)
        assert status < 300, content
        return json.loads(content)

    def lines(self, match: int, after: int = -1) -> list[dict[str, Any]]:
        query = f"?after={after}" if after >= 0 else ""
        status, content, _headers = self.send("GET", f"/matches/{match}/lines{query}")
        assert status == 200, content
        return [json.loads(line) for line in content.splitlines()]


@contextmanager
def playing(
    database_url: str | None = None, **settings: str
) -> Iterator[tuple[Stack, Caller, Caller]]:
    """The service with a web server alone, and the callers of two players; on SQLite by default."""
    extra = {"API_LIMITS": "off", **settings}
    with Stack(database_url=database_url, web=1, workers=0, beat=0, extra=extra) as stack:
        tokens = stack.shell(MADE.format(names=NAMES)).split()
        callers = [Caller(stack.url(), token) for token in tokens]
        yield stack, callers[0], callers[1]
        for caller in callers:
            caller.connection.close()


def begin(owner: Caller, guest: Caller, preset: str, **terms: object) -> int:
    """A new match, whose number is returned; the owner sits South."""
    body = {"preset": preset, "guest": NAMES[1], "seat": "S", **terms}
    invitation = owner.post("/invitations", body)["invitation"]
    match: int = guest.post(f"/invitations/{invitation}/accept")["match"]
    return match


def answer_to(line: dict[str, Any], rng: Random) -> str:
    """A random legal move, or a set-up."""
    if line["ask"] == "setup":
        request = read_line(line)
        hand = request.observation.hand[request.seat] or ()
        return deploy(request.rules, request.seat, hand, rng)
    return str(rng.choice(line["legal"])) if line["legal"] else choose([line], 1, RECRUIT)


def answered(line: dict[str, Any], answer: str) -> tuple[str, dict[str, object]]:
    """The path and body of an answer."""
    path = f"/matches/{line['match']}"
    if line["ask"] == "setup":
        return f"{path}/setup", {"setup": answer}
    return f"{path}/moves", {"move": answer, "ply": line["at"]}


def play(match: int, callers: tuple[Caller, Caller], seed: int, most: int = ATTEMPTS) -> Any:
    """Play random legal moves out of the lines to the end; the last lines of both seats.

    After `most` answers the match is resigned.
    """
    rng = Random(seed)
    heard, ends = [-1, -1], [dict[str, Any](), dict[str, Any]()]
    for turn in range(4 * ATTEMPTS):
        side = turn % 2
        new = callers[side].lines(match, heard[side])
        if not new:
            if all(ends):
                return ends
            continue
        line = new[-1]
        heard[side] = line["at"]
        if line["ask"] == "end":
            ends[side] = line
        elif line["at"] > most:
            callers[side].post(f"/matches/{match}/actions", {"action": "resign"})
        else:
            callers[side].post(*answered(line, answer_to(line, rng)))
    raise AssertionError("The match should have ended.")


def at_once(*calls: Any) -> list[Any]:
    """The results of calls that are made at the same time."""
    results: list[Any] = [None] * len(calls)
    gate = threading.Barrier(len(calls))

    def run(number: int) -> None:
        gate.wait()
        results[number] = calls[number]()

    threads = [threading.Thread(target=run, args=(number,)) for number in range(len(calls))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return results
