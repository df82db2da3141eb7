"""Faults at each place where the service leaves its own process."""

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
    """The process is killed here: uncommitted changes and all memory are lost."""


class Faults:
    """Draws the faults. At rate 0 there are none.

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
        """A commit may fail, or the process may crash before or after it."""
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
    """An e-mail that the mail server accepted."""

    identity: str  # Message-ID
    subject: str
    to: str
    at: datetime
    match: int = 0  # that it is about
    reply_to: str = ""
    answers: str = ""  # Message-ID of the message that it is a receipt of
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
    """The mail server: every e-mail that it accepted, in order."""

    def __init__(self, at: datetime) -> None:
        self.emails: list[Taken] = []
        self.away_until = at  # no e-mail is opened before that

    def message_ids(self) -> set[str]:
        return {email.identity for email in self.emails}


class Broker:
    """Carries wake-ups: loses some, duplicates some, and delays the rest."""

    def __init__(self, rng: Random, faults: Faults) -> None:
        self._rng, self._faults = rng, faults
        self._arrivals: list[datetime] = []  # of the wake-ups that are under way

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
        """Remove and return the wake-ups that have arrived by now."""
        self._arrivals = [arrival for arrival in self._arrivals if arrival > instant]

    @contextmanager
    def carrying(self) -> Iterator[None]:
        """Within the block the service's wake-ups go through this broker."""
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
                # The e-mail was accepted, and the response was lost.
                raise TimeoutError("timed out")
        return len(messages)
