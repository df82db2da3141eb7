"""Players who use the pages' own forms and mail, and send again until they are answered."""

import http.client
import itertools
import json
import random
import re
import threading
import time
from contextlib import closing
from urllib.parse import urlencode, urlsplit

from tests.chaos.history import Action, History
from tests.chaos.player_mailboxes import PlayerMailboxes
from tests.stack import Stack

MOVES = re.compile(r'<script id="moves" type="application/json">(.*?)</script>', re.S)
MOVE_FORM = re.compile(r'<form id="move-form".*?</form>', re.S)
KEY = re.compile(r'name="idempotency_key" value="(\w+)"')
PLY = re.compile(r'name="ply" value="(\d+)"')
SEAL = "c" * 32
PATIENCE = 15.0  # seconds for a response; then the form is sent again
ACKNOWLEDGED = 250
RESIGNS = 1 / 400  # moves
BY_MAIL = 1 / 6  # of the moves, of players who have an e-mail to reply to
RECEIPT_SECONDS = 30.0  # for which a player waits before anything else; it may arrive later


class Player(threading.Thread):
    """A player in any match that waits for them; ends soon after `leave` is set."""

    def __init__(
        self,
        service: Stack,
        name: str,
        cookie: str,
        seed: int,
        history: History,
        mailboxes: PlayerMailboxes,
    ) -> None:
        super().__init__(name=name, daemon=True)
        self._email = f"{name}@example.org"
        self._mailboxes = mailboxes
        self._written = itertools.count(1)
        self._cookies = f"sessionid={cookie}; csrftoken={SEAL}"
        self._servers = itertools.cycle([urlsplit(service.url(f"web{n}")).netloc for n in (1, 2)])
        self._rng = random.Random(f"{name} {seed}")
        self._history = history
        self.leave = threading.Event()

    def run(self) -> None:
        while not self.leave.is_set():
            if not self._play():
                self.leave.wait(0.2)

    def _play(self) -> bool:
        """Play in a match with this player's turn; False if none waits, or no server answers."""
        _status, place, _page = self._ask("GET", "/next/")
        if not place or not (match_of_text := re.fullmatch(r"/match/(\d+)/", place)):
            return False
        _status, _place, page = self._ask("GET", place)
        form = MOVE_FORM.search(page)
        listed = MOVES.search(page)
        if not (form and listed):
            return False
        match, ply = int(match_of_text[1]), int(PLY.search(form[0])[1])
        if self._rng.random() < RESIGNS:
            return self._resign(match, ply)
        text = self._rng.choice(json.loads(listed[1]))
        address = self._mailboxes.address(self._email, match)
        if address and self._rng.random() < BY_MAIL:
            self._write(match, ply, text, address)
            return True
        self._send("move", match, ply, text, KEY.search(form[0])[1])
        return True

    def _resign(self, match: int, ply: int) -> bool:
        _status, _place, page = self._ask("GET", f"/match/{match}/resign/")
        if key := KEY.search(page):
            self._send("resign", match, ply, "", key[1])
        return bool(key)

    def _write(self, match: int, ply: int, text: str, address: str) -> None:
        """Deliver a reply until it is acknowledged, then wait for its receipt."""
        message_id = f"<{self.name}.{next(self._written)}@example.org>"
        action = Action(self.name, "move", match, ply + 1, text, message_id)
        began = time.monotonic()
        status, tries, outcome = 0, 0, "info"
        while not status and not (tries and self.leave.is_set()):
            tries += 1
            if self._mailboxes.bring(self._email, address, message_id, text):
                status = ACKNOWLEDGED
            else:
                self.leave.wait(0.3)
        until = time.monotonic() + RECEIPT_SECONDS
        while (
            status and outcome == "info" and time.monotonic() < until and not self.leave.wait(0.2)
        ):
            outcome = self._mailboxes.outcome(message_id)
        seconds = round(time.monotonic() - began, 3)
        self._history.note(
            action._replace(outcome=outcome, status=status, tries=tries, seconds=seconds)
        )

    def _send(self, what: str, match: int, ply: int, text: str, key: str) -> None:
        """Send the same form until there is a response to it."""
        fields = {"move": text, "ply": ply} if text else {}
        body = urlencode({**fields, "idempotency_key": key, "csrfmiddlewaretoken": SEAL})
        action = Action(self.name, what, match, ply + 1, text, key)
        began = time.monotonic()
        outcome, status, tries = "info", 0, 0
        while outcome == "info" and not (tries and self.leave.is_set()):
            status, _place, _page = self._ask("POST", f"/match/{match}/{what}/", body)
            tries += 1
            outcome = {3: "ok", 4: "fail"}.get(status // 100, "info")
            if outcome == "info":
                self.leave.wait(0.3)
        seconds = round(time.monotonic() - began, 3)
        self._history.note(
            action._replace(outcome=outcome, status=status, tries=tries, seconds=seconds)
        )

    def _ask(self, method: str, path: str, body: str | None = None) -> tuple[int, str, str]:
        """Status, redirect target and page; 0 and "" without a response."""
        headers = {"Cookie": self._cookies}
        if body is not None:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        server = next(self._servers)
        try:
            with closing(http.client.HTTPConnection(server, timeout=PATIENCE)) as connection:
                connection.request(method, path, body, headers)
                answer = connection.getresponse()
                page = answer.read().decode()
                return answer.status, answer.getheader("Location", ""), page
        except (OSError, http.client.HTTPException):
            return 0, "", ""
