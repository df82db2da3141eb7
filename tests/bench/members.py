"""Members of a club, as they act at the service: turns that begin by the clock, over HTTP."""

import http.client
import secrets
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlencode, urlsplit

CLIENTS = 24  # threads


class Club:
    """Members who act at the service, each with a session; what each act took, in seconds."""

    def __init__(self, url: str, made: dict[str, Any]) -> None:
        self._address = urlsplit(url).netloc
        self._sessions: dict[str, str] = made["sessions"]
        self._matches = made["matches"]
        self._token = secrets.token_hex(16)
        self._kept = threading.local()
        self.seconds: defaultdict[str, list[float]] = defaultdict(list)
        self.errors: list[str] = []

    def turn(self, number: int) -> None:
        """The turn of this number, in the matches one after the other."""
        match = self._matches[number % len(self._matches)]
        step = number // len(self._matches)
        path, player = f"/match/{match['id']}/", match["players"][step % 2]
        move = {"move": match["to_come"][step], "ply": match["ply"] + step}
        move["idempotency_key"] = match["keys"][step]
        self._act("page", player, "GET", path, 200)
        self._act("move", player, "POST", f"{path}move/", 302, **move)
        self._act("page", player, "GET", path, 200)
        if number % 2:
            self._act("front page", match["players"][(step + 1) % 2], "GET", "/", 200)

    def _act(
        self, what: str, player: int, method: str, path: str, due: int, **fields: object
    ) -> None:
        port = self._address.rpartition(":")[2]
        cookie = f"sessionid-{port}={self._sessions[str(player)]}; csrftoken-{port}={self._token}"
        headers, form = {"Cookie": cookie}, None
        if fields:
            form = urlencode({"csrfmiddlewaretoken": self._token, **fields})
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        if not hasattr(self._kept, "connection"):
            self._kept.connection = http.client.HTTPConnection(self._address, timeout=60)
        begun = time.perf_counter()
        try:
            self._kept.connection.request(method, path, form, headers)
            answer = self._kept.connection.getresponse()
            answer.read()
        except (OSError, http.client.HTTPException) as error:
            self._kept.connection.close()
            self.errors.append(f"{what}: {type(error).__name__}")
            return
        self.seconds[what].append(time.perf_counter() - begun)
        if answer.status != due:
            self.errors.append(f"{what}: {answer.status}")


def play(club: Club, numbers: range, a_second: float) -> float:
    """Let these turns begin at that rate; by how many seconds the latest began too late."""
    with ThreadPoolExecutor(CLIENTS) as clients:
        begun = time.monotonic()

        def take(number: int, due: float) -> float:
            lateness = time.monotonic() - due
            club.turn(number)
            return lateness

        taken = []
        for place, number in enumerate(numbers):
            due = begun + place / a_second
            time.sleep(max(0.0, due - time.monotonic()))
            taken.append(clients.submit(take, number, due))
        return max(each.result() for each in taken)
