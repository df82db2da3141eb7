"""What can go wrong at each place where the service leaves its own process."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from random import Random
from typing import Any, NamedTuple
from unittest.mock import patch

from django.core.mail.backends.base import BaseEmailBackend
from django.db import OperationalError, connection

from games.mail import intake
from games.outbox import publishing
from games.outbox.delivery import dispatcher
from lib.db_clock import now


class Crash(BaseException):
    """The process is killed here. What it has not committed is gone, and all that it remembered."""


class Faults:
    """Draws what goes wrong. At rate 0 nothing does.

    Places: "before commit", "after commit", "before e-mail", "after e-mail"; kinds of faults: a
    crash, an error of the database, and those of the mail server.
    """

    def __init__(self, rng: Random, rate: float) -> None:
        self._rng = rng
        self.rate = rate
        self.crashes = 0

    def strike(self, share: float = 1.0) -> bool:
        return self._rng.random() < self.rate * share

    def maybe_crash(self) -> None:
        if self.strike():
            self.crashes += 1
            raise Crash

    @contextmanager
    def around_commits(self) -> Iterator[None]:
        """A commit may fail, or be the last thing that happens, or nearly so."""
        commit = connection.commit

        def committed() -> None:
            self.maybe_crash()
            if self.strike(0.5):
                raise OperationalError("database or disk is full")
            commit()
            self.maybe_crash()

        with patch.object(connection, "commit", committed):
            yield


class Taken(NamedTuple):
    """An e-mail that the mail server took."""

    identity: str  # Message-ID
    subject: str
    to: str
    at: datetime
    match: int = 0  # that it is about
    reply_to: str = ""
    answers: str = ""  # Message-ID of what it is the receipt of
    outcome: str = ""


ABOUT_MATCH = re.compile(r"<match\.([0-9]+)@")


def _taken(message: Any) -> Taken:
    headers = message.extra_headers
    about = ABOUT_MATCH.match(headers.get("References", ""))
    return Taken(
        identity=headers["Message-ID"],
        subject=message.subject,
        to=message.to[0],
        at=now(),
        match=int(about[1]) if about else 0,
        reply_to=headers.get("Reply-To", ""),
        answers=headers.get("In-Reply-To", "") if "X-Estafette-Outcome" in headers else "",
        outcome=headers.get("X-Estafette-Outcome", ""),
    )


class Mailbox:
    """The mail server: every e-mail that it took, in the order of their coming."""

    def __init__(self, at: datetime) -> None:
        self.emails: list[Taken] = []
        self.away_until = at  # nobody opens at all before that

    def message_ids(self) -> set[str]:
        return {email.identity for email in self.emails}


class Broker:
    """Carries wake-ups: loses some, doubles some, and is late with the rest."""

    def __init__(self, rng: Random, faults: Faults) -> None:
        self._rng, self._faults = rng, faults
        self._arrivals: list[datetime] = []  # of the wake-ups that are on their way

    def wake(self, task: str = "") -> None:
        if self._faults.strike(5):
            return
        for _ in range(2 if self._faults.strike(5) else 1):
            delay = timedelta(seconds=self._rng.expovariate(1 / 2))
            self._arrivals.append(now() + delay)

    def first(self) -> datetime | None:
        """When the next wake-up arrives."""
        return min(self._arrivals, default=None)

    def take(self, instant: datetime) -> None:
        """Take what has arrived by now."""
        self._arrivals = [arrival for arrival in self._arrivals if arrival > instant]

    @contextmanager
    def carrying(self) -> Iterator[None]:
        """Within the block the service's wake-ups go this way."""
        with (
            patch.object(publishing, "wake_worker", self.wake),
            patch.object(dispatcher, "wake_worker", self.wake),
            patch.object(intake, "wake_worker", self.wake),
        ):
            yield


class Post(BaseEmailBackend):
    """The service's mail backend; `Post.faults` and `Post.mailbox` are those of the simulation."""

    faults: Faults
    mailbox: Mailbox

    def open(self) -> bool:
        if now() < self.mailbox.away_until:
            raise ConnectionRefusedError(111, "Connection refused")
        return True

    def send_messages(self, messages: Any) -> int:
        for message in messages:
            self.faults.maybe_crash()
            if self.faults.strike(5):
                raise ConnectionResetError(104, "Connection reset by peer")
            self.mailbox.emails.append(_taken(message))
            self.faults.maybe_crash()
            if self.faults.strike(2):
                # The e-mail was taken, and the answer got lost.
                raise TimeoutError("timed out")
        return len(messages)
