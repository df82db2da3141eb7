"""P12: messages that the listener accepts, each stored on disk before it is acknowledged."""

import smtplib
import threading
from collections.abc import Iterator
from email.message import EmailMessage
from itertools import count
from statistics import median

from tests.bench.meter import Effort, wall
from tests.bench.report import Goal, Result, bare
from tests.bench.service import SETTINGS, postgres
from tests.stack import Stack

RATE = Goal(must=50, aim=100, unit="a second", least=True)
CONNECTIONS = 4
EACH = 100  # messages of a connection in a round
DOMAIN = "play.example.org"
POST = f"post@{DOMAIN}"
TEXT = "board\n\n> " + "\n> ".join(["a line of the e-mail that was answered, quoted below"] * 60)


def measure(effort: Effort) -> Iterator[Result]:
    each = effort.times(EACH)
    with postgres(durable=True) as server:
        service = Stack(
            database_url=server.create("bench"),
            web=0,
            workers=0,
            beat=0,
            mail=True,
            extra={
                "DJANGO_SETTINGS_MODULE": SETTINGS,
                "MAIL_DOMAIN": DOMAIN,
                "DEFAULT_FROM_EMAIL": POST,
            },
        )
        service.manage("migrate", "-v0", "--run-syncdb")
        with service:
            numbers = count()
            rounds = [
                CONNECTIONS * each / wall(lambda: _bring(service.mail_port, each, numbers))
                for _ in range(effort.rounds)
            ]
            with server.connect(service.environment["DATABASE_URL"].rpartition("/")[2]) as database:
                (stored,) = database.execute("SELECT count(*) FROM mail_incomingmessage").fetchone()
            assert stored == effort.rounds * CONNECTIONS * each, stored
    what = f"messages taken in over {CONNECTIONS} connections, each durable"
    yield bare("P12", what, median(rounds), RATE)


def _bring(port: int, each: int, numbers: Iterator[int]) -> None:
    """So many messages over each of the connections at once."""

    def bring() -> None:
        with smtplib.SMTP("127.0.0.1", port, timeout=60) as connection:
            for _ in range(each):
                connection.send_message(_message(next(numbers)), "anna@example.net", [POST])

    threads = [threading.Thread(target=bring) for _ in range(CONNECTIONS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def _message(number: int) -> EmailMessage:
    message = EmailMessage()
    message["From"], message["To"], message["Subject"] = "anna@example.net", POST, "Re: Match 7"
    message["Message-ID"] = f"<{number}@example.net>"
    message.set_content(TEXT)
    return message
