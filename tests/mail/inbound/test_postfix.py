"""Debian's Postfix with the configuration of deploy/postfix: to the listener and through a pipe."""

import os
import shlex
import shutil
import smtplib
import socket
import subprocess
import sys
import sysconfig
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from games.mail.answering import worker
from games.mail.inbound import listener
from games.mail.models import IncomingMessage
from games.play.models.match import Match
from tests import tiers
from tests.mail import post
from tests.mail.inbound.test_listener import MAKE_ADDRESS
from tests.mail.listening import Start
from tests.mail.postfix import AUTHSERV_ID, DOMAIN, Postfix
from tests.play import match_helpers
from tests.preloaded import ROOT
from tests.servers import free_port, wait_for

pytestmark = pytest.mark.servers

ALICE = "alice@example.org"


@pytest.fixture(autouse=True)
def _by_our_server(settings: Settings) -> None:
    settings.DEMO = False
    settings.MAIL_REPLIES = "true"
    settings.MAIL_DOMAIN = DOMAIN
    settings.MAIL_AUTHSERV_ID = AUTHSERV_ID


@pytest.fixture
def address(apart: None) -> str:
    """A reply address of Alice."""
    who = match_helpers.people()
    match_helpers.running_match(who, "a4-a5", "j7-j6")
    return post.reply_to(post.email(who.alice))


@pytest.fixture
def port() -> int:
    """The port of the listener."""
    return free_port()


@pytest.fixture
def postfix(port: int) -> Iterator[Postfix]:
    with Postfix(lmtp=f"127.0.0.1:{port}") as running:
        yield running


def send(
    postfix: Postfix, address: str, text: str = "b4-b5", sender: str = ALICE, head: str = ""
) -> None:
    raw = head.encode() + post.written(sender, text)
    with smtplib.SMTP("127.0.0.1", postfix.port) as client:
        client.sendmail(sender, [address], raw)


def stored_messages(count: int = 1) -> list[IncomingMessage]:
    """Wait until this many messages are stored."""
    rows = IncomingMessage.objects.order_by("pk")
    wait_for(lambda: rows.count() >= count, f"{count} should be stored.", 30)
    return list(rows)


def test_a_reply_is_played_and_gets_a_receipt(
    postfix: Postfix, start: Start, port: int, address: str
) -> None:
    start("lmtp", port=port)
    send(postfix, address)
    (row,) = stored_messages()
    # Dates in Received have whole seconds.
    assert row.arrived_at < row.taken_at and row.arrived_at.microsecond == 0
    assert worker.process_waiting() == 1
    match, row = Match.objects.get(), post.last()
    assert (row.outcome, row.why) == ("played", "")
    assert post.outcome(post.emails(match.players.get(seat=0).user)[-1]) == "played"


# As a sender may forge it.
FORGED = (
    f"Authentication-Results: {AUTHSERV_ID}; dmarc=pass header.from=example.org\n",
    f"Authentication-Results : {AUTHSERV_ID}; dmarc=pass header.from=example.org\n",
    f"AUTHENTICATION-RESULTS:\n (x)\n {AUTHSERV_ID}; dmarc=pass header.from=example.org\n",
)


@pytest.mark.parametrize(
    "head",
    tiers.parameters(FORGED, fast=FORGED[-1:]),
    ids=["plain", "a blank before the colon", "folded, after a comment"],
)
def test_forged_authentication_results_are_removed(
    postfix: Postfix, start: Start, port: int, address: str, head: str
) -> None:
    postfix.milter.proved.clear()
    start("lmtp", port=port)
    send(postfix, address, head=head)
    (row,) = stored_messages()
    assert b"dmarc=pass" not in post.raw(row) and b"dmarc=fail" in post.raw(row)
    worker.process_waiting()
    assert post.last().outcome == "confirm"


def test_without_its_milter_the_mail_server_defers_mail(postfix: Postfix, address: str) -> None:
    postfix.milter.stop()
    with pytest.raises((smtplib.SMTPResponseException, smtplib.SMTPRecipientsRefused)) as refused:
        send(postfix, address)
    assert "451" in str(refused.value)
    assert not postfix.kept()


def test_mail_is_delivered_once_after_the_listener_was_down(
    postfix: Postfix, start: Start, port: int, address: str
) -> None:
    send(postfix, address)
    postfix.wait_for("status=deferred .*refused")
    assert postfix.kept() and not IncomingMessage.objects.exists()
    start("lmtp", port=port)
    postfix.flush_until("status=sent")
    (row,) = stored_messages()
    assert row.arrived_at < row.taken_at
    worker.process_waiting()
    assert post.last().outcome == "played"


def test_a_redelivery_adds_no_second_row(
    postfix: Postfix, start: Start, port: int, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    store, answers = listener.store, [listener.LATER]

    def store_without_reply(*given: Any) -> str:
        answer = store(*given)
        return answers.pop() if answers else answer

    monkeypatch.setattr(listener, "store", store_without_reply)
    start("lmtp", port=port)
    send(postfix, address)
    postfix.wait_for("status=deferred")
    postfix.flush_until("status=sent .250 2.0.0 Stored")
    assert len(stored_messages()) == 1


def test_an_unknown_address_is_refused_at_rcpt(postfix: Postfix) -> None:
    for nobody in ("bob", "reply+short", "reply", "b+1"):
        with pytest.raises(smtplib.SMTPRecipientsRefused, match="550"):
            send(postfix, f"{nobody}@{DOMAIN}")


def test_a_large_message_is_refused(postfix: Postfix, address: str) -> None:
    with pytest.raises(smtplib.SMTPSenderRefused, match="552"):
        send(postfix, address, "x\n" * 600_000)


def test_smtp_smuggling_fails(postfix: Postfix, start: Start, port: int, address: str) -> None:
    """Servers that accept bare line feeds take this for the end of the message and new commands."""
    start("lmtp", port=port)
    hidden = f"MAIL FROM:<{ALICE}>\r\nRCPT TO:<{address}>\r\nDATA\r\n"
    with socket.create_connection(("127.0.0.1", postfix.port)) as line:
        replies = line.makefile("rb")
        for command in ("EHLO x", "MAIL FROM:<eve@example.net>", f"RCPT TO:<{address}>", "DATA"):
            line.sendall(f"{command}\r\n".encode())
        while not replies.readline().startswith(b"354"):
            pass
        for end in ("\n.\n", "\n.\r\n"):
            line.sendall(f"From: eve@example.net\r\n\r\nhello{end}{hidden}".encode())
        line.sendall(f"From: {ALICE}\r\n\r\nresign\r\n.\r\nQUIT\r\n".encode())
        assert replies.readline().startswith(b"250")
        assert replies.readline().startswith(b"221")
    (row,) = stored_messages()
    assert b"resign" in post.raw(row) and b"dmarc=fail" in post.raw(row)


# --- The pipe


LIBRARIES = {"PYTHONPATH": sysconfig.get_path("purelib")}


@pytest.fixture
def python() -> str:
    """A Python interpreter that the pipe's user may execute; Postfix runs nothing as root."""
    for path in (sys.executable, "/usr/bin/python3"):
        ask = ["runuser", "-u", "nobody", "--", path, "-c", "import django, psycopg, games.mail"]
        tried = subprocess.run(ask, cwd=ROOT, env=os.environ | LIBRARIES, capture_output=True)
        if tried.returncode == 0:
            return path
    pytest.skip("The user nobody may not read this checkout, or has no Python for it.")


def program(running: Any, python: str, **changed: str) -> Path:
    """`deploy/estafette` with the settings of this test service and the same exit codes."""
    given = running.environment | LIBRARIES | changed
    settings = [f"export {name}={shlex.quote(value)}\n" for name, value in given.items()]
    file, coming = (Path(running.var) / name for name in ("estafette", "estafette.new"))
    command = f'cd {ROOT}\nexec {python} manage.py "$@"\n'
    coming.write_text("#!/bin/sh\n" + "".join(settings) + command)
    coming.chmod(0o755)
    for each in (running.var, *running.var.rglob("*")):
        shutil.chown(each, "nobody")
    coming.replace(file)  # atomically, since Postfix may be executing it
    return file


@pytest.mark.soak
def test_a_pipe_stores_defers_or_bounces(stack: Callable[..., Any], python: str) -> None:
    running = stack(web=0, workers=0, beat=0, extra={"MAIL_DOMAIN": DOMAIN})
    token = running.shell(MAKE_ADDRESS).strip().splitlines()[-1]
    rows = IncomingMessage.objects.values_list("outcome")
    away = {"DATABASE_URL": "postgres://nobody@127.0.0.1:1/nothing"}
    with Postfix(program=program(running, python, **away)) as postfix:
        send(postfix, token)
        postfix.wait_for(r"status=deferred .*try again later")
        assert postfix.kept() and running.ask(rows) == []
        program(running, python, DATABASE_URL="nonsense")
        postfix.flush_until("status=deferred .*DATABASE_URL is not an address")
        assert postfix.kept()
        program(running, python)
        postfix.flush_until("relay=estafette-mail.*status=sent")
        assert running.ask(rows) == [("",)]
        program(running, python, MAIL_MAX_BYTES="1024")
        send(postfix, token, "moves\n" * 200)
        postfix.wait_for("dsn=5.6.0, status=bounced .data format error")
        program(running, python, MAIL_DOMAIN="elsewhere.example.org")
        send(postfix, token, "board")
        postfix.wait_for("dsn=5.1.1, status=bounced .user unknown")
        assert len(running.ask(rows)) == 1
        log = postfix.log()
    assert "Traceback" not in log
