"""Lines of a plan that came by mail are nowhere in clear on a running service.

Every byte that is written meanwhile into the database's files and into the service's folder with
its logs, and what Redis was sent, is searched, while a plan waits, after its answer was judged, and
after it was deleted.
"""

import re
import smtplib
import threading
import time
from base64 import b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from games.mail.models import IncomingMessage
from games.play.models.plan import Plan
from tests import tiers
from tests.mail import post
from tests.servers import Postgres, Redis, SmtpSink, wait_for
from tests.stack import Stack

SERVER = "mx.example.org"  # whose sender authentication is trusted
ALICE = "alice@example.org"
# Nobody plays these moves. Nothing but a plan has such lines.
SECRETS = ("b5-b6", "e4-e5", "h9-h8", "if j6", "otherwise e", "sonst e", "then b5")
# Ids of tasks and messages, in which "b5-b6" may occur by chance.
UUID = re.compile(rb"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
CLOCK_SECONDS = 2  # times of files are coarser than the clock
PUBLIC = b"j6-j5"  # which the opponent plays

BEGIN = """
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.reply_addresses import About
from games.notifications.models import Purpose
from tests.play import match_helpers

who = match_helpers.people()
match = match_helpers.running_match(who, "a4-a5", "j7-j6", "b4-b5")
for number in range(4):
    about = dict(purpose=Purpose.MATCH, user=who.alice, match_id=match.pk, ply=match.ply)
    print(reply_addresses.issue(About(dispatch_key=f"at rest {number}", **about)))
"""
OPPONENT_MOVES = """
from accounts.models import User
from games.play.commands import moves
from games.play.models.match import Match
moves.submit_move(Match.objects.get().pk, User.objects.get(username="Bob"), "j6-j5", 5)
"""


@pytest.fixture(params=tiers.parameters(("sqlite", "postgres"), fast=("postgres",)))
def database(request: pytest.FixtureRequest) -> Postgres | None:
    server: Postgres = request.getfixturevalue("postgres") if request.param == "postgres" else None
    return server


@pytest.mark.servers
def test_lines_of_a_mailed_plan_are_nowhere_in_clear_text(
    stack: Callable[..., Stack],
    database: Postgres | None,
    redis_server: Redis,
    smtp_sink: SmtpSink,
) -> None:
    began = time.time()
    service = stack(
        database_url=database and database.create("at_rest"),
        broker_url=redis_server.url,
        email_url=smtp_sink.url,
        web=0,
        beat=0,
        mail=True,
        extra={"MAIL_AUTHSERV_ID": SERVER, "LOG_LEVEL": "DEBUG"},
    )
    outcomes: list[str] = []

    def send(address: str, text: str, outcome: str) -> None:
        trusted = {"Authentication-Results": f"{SERVER}; dmarc=pass header.from=example.org"}
        with smtplib.SMTP("127.0.0.1", service.mail_port) as client:
            client.sendmail(ALICE, [address], post.written(ALICE, text, headers=trusted))
        outcomes.append(outcome)
        stored = IncomingMessage.objects.order_by("pk").values_list("outcome")
        wait_for(lambda: [row[0] for row in service.ask(stored)] == outcomes, f"It is {outcome}.")
        wait_for(lambda: len(receipts(smtp_sink)) == len(outcomes), "A receipt should be sent.")

    def state() -> str:
        ((plan_state,),) = service.ask(Plan.objects.values_list("state"))
        return str(plan_state)

    with sent_to(redis_server) as commands:

        def look(when: str) -> None:
            places = dict(files(service.var, database, began), redis=b"\n".join(commands))
            for where, written_there in places.items():
                held = UUID.sub(b"", written_there)
                for secret in SECRETS:
                    for written in spellings(secret):
                        assert written not in held, f"{when}: {where} holds {secret!r}."
            # What is not secret is found there.
            assert any(b"read_messages" in held for held in places.values()), "No task was seen."
            assert b"read_messages" in places["redis"]
            assert any(PUBLIC in held for held in places.values()) == (when != "it waits")

        addresses = service.shell(BEGIN).split()[-4:]
        send(addresses[0], "if j6-j5 then b5-b6\nsonst e4-e5\n", "planned")
        send(addresses[1], "if h9-h8 then b5 and then more", "refused")
        send(addresses[2], "plan", "shown")
        assert state() == "standing"
        look("it waits")
        service.shell(OPPONENT_MOVES)
        due = Plan.objects.filter(due_at__isnull=False).values_list("pk")
        wait_for(lambda: service.ask(due), "An answer should wait.")
        look("its answer waits")
        send(addresses[3], "forget", "planned")
        assert state() == "deleted"
        look("it is deleted")
    assert any(b"b5-b6" in email for email in receipts(smtp_sink)), "No receipt repeats the lines."


def receipts(sink: SmtpSink) -> list[bytes]:
    return [email for email in sink.taken if b"X-Estafette-Outcome" in email]


def spellings(secret: str) -> Iterator[bytes]:
    """The text as it is, as UTF-16 and in hexadecimal, and in Base64 at each offset."""
    plain = secret.encode()
    yield from (plain, secret.encode("utf-16-le"), plain.hex().encode())
    for offset in range(3):
        # Without the characters that depend on what is next to it.
        text = b64encode(b"x" * offset + plain + b"x" * (-(offset + len(plain)) % 3))
        yield text[-(-offset * 4 // 3) : (offset + len(plain)) * 4 // 3]


def files(var: Path, database: Postgres | None, since: float) -> Iterator[tuple[str, bytes]]:
    """Every file of the service and of its database, with logs and the write-ahead log.

    Without those of the shared server that were last written before that time.
    """
    for folder in (var, *([database.folder] if database else [])):
        for path in folder.rglob("*"):
            if path.is_file() and path.stat().st_mtime >= since - CLOCK_SECONDS:
                yield str(path), path.read_bytes()


@contextmanager
def sent_to(server: Redis) -> Iterator[list[bytes]]:
    """Every command that Redis gets within the block, with its arguments."""
    commands: list[bytes] = []
    client: Any = server.client()
    monitor = client.monitor()
    over = threading.Event()

    def listen() -> None:
        while not over.is_set():
            if monitor.connection.can_read(0.1):
                commands.append(str(monitor.next_command()["command"]).encode())

    with monitor:
        thread = threading.Thread(target=listen)
        thread.start()
        try:
            yield commands
        finally:
            over.set()
            thread.join()
