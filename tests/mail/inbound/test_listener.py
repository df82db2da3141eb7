"""The listener, with real SMTP and LMTP clients: 250 only after a message is stored."""

import contextlib
import os
import signal
import smtplib
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from pytest_django import Settings

from accounts.models import User
from games.mail import intake
from games.mail.answering import worker
from games.mail.inbound import listener_address
from games.mail.models import IncomingMessage, WayIn
from games.play.models.match import Match
from tests import preloaded
from tests.mail import post
from tests.mail.listening import Start, listens
from tests.play import match_helpers
from tests.play.plan_helpers import plan_of
from tests.preloaded import ROOT
from tests.servers import free_port, wait_for


@pytest.fixture
def address(apart: None) -> str:
    """A reply address of Alice."""
    who = match_helpers.people()
    match_helpers.running_match(who, "a4-a5", "j7-j6")
    return post.reply_to(post.email(who.alice))


def raw(text: str = "b4-b5") -> bytes:
    return post.written("alice@example.org", text)


@contextlib.contextmanager
def smtp(place: listener_address.ListenAddress) -> Iterator[smtplib.SMTP]:
    kind: Any = smtplib.LMTP if place.is_lmtp else smtplib.SMTP
    with kind(place.path or place.host, place.port or None) as client:
        yield client


@pytest.mark.parametrize("scheme", ["smtp", "lmtp"])
def test_it_stores_messages(start: Start, address: str, scheme: str) -> None:
    with smtp(start(scheme)) as client:
        assert client.sendmail("alice@example.org", [address], raw()) == {}
    row = IncomingMessage.objects.get()
    assert (row.user, row.way_in) == (User.objects.get(username="Alice"), "listener")


def test_it_accepts_results_of_the_named_mail_server_alone(
    start: Start, address: str, settings: Settings
) -> None:
    settings.DEMO, settings.MAIL_AUTHSERV_ID = False, "mx.example.org"
    with smtp(start("lmtp")) as client:
        for message in (
            raw("b4-b5"),
            post.authenticated(raw("b4-b5"), "mx.example.net"),
            post.authenticated(raw("b4-b5"), "mx.example.org"),
        ):
            client.sendmail("alice@example.org", [address], message)
    worker.process_waiting()
    outcomes = IncomingMessage.objects.order_by("pk").values_list("outcome", flat=True)
    assert list(outcomes) == ["confirm", "confirm", "played"]


@pytest.mark.servers
def test_lines_of_a_plan_arrive(start: Start, address: str) -> None:
    lines = "b4-b5\nif j6-j5 then b5-b6\n\nSonst e4–e5.\n如果 b7-b6 則 a5-a6"
    with smtp(start("smtp")) as client:
        client.sendmail("alice@example.org", [address], raw(lines))
        client.sendmail("alice@example.org", [address], raw("b4-b5\nif j6-j5 then b5"))
    worker.process_waiting()
    outcomes = IncomingMessage.objects.order_by("pk").values_list("outcome", flat=True)
    assert list(outcomes) == ["played", "refused"]
    plan = plan_of(Match.objects.get(), User.objects.get(username="Alice"))
    assert plan.contents.lines == (
        "if j6-j5 then b5-b6",
        "if b7-b6 then a5-a6",
        "otherwise e4-e5",
    )


def test_it_listens_at_a_unix_socket(start: Start, address: str, tmp_path: Path) -> None:
    with smtp(start("lmtp", str(tmp_path / "mail"))) as client:
        client.sendmail("alice@example.org", [address], raw())
    assert IncomingMessage.objects.count() == 1


def test_it_replies_for_each_recipient(
    start: Start, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bad = f"reply+{'b' * 26}@localhost"
    take = intake.store_message

    def fail_for_one(raw: bytes, recipient: str, sender: str | None, way_in: WayIn) -> None:
        if recipient == bad:
            raise OSError("disk full")
        take(raw, recipient, sender, way_in=way_in)

    monkeypatch.setattr(intake, "store_message", fail_for_one)
    place = start("lmtp")
    with socket.create_connection((place.host, place.port)) as line, line.makefile("rb") as replies:
        for command in ("LHLO x", "MAIL FROM:<>", f"RCPT TO:<{address}>", f"RCPT TO:<{bad}>"):
            line.sendall(f"{command}\r\n".encode())
        line.sendall(b"RCPT TO:<nobody@localhost>\r\nDATA\r\n")
        while not replies.readline().startswith(b"354"):
            pass
        line.sendall(raw().replace(b"\n", b"\r\n") + b"\r\n.\r\n")
        assert replies.readline().startswith(b"250 2.0.0")
        assert replies.readline().startswith(b"451")


def test_it_refuses_unknown_addresses_but_not_unknown_tokens(start: Start, address: str) -> None:
    with smtp(start("smtp")) as client:
        client.ehlo()
        client.mail("x@example.org")
        assert client.rcpt("nobody@localhost")[0] == 550
        assert client.rcpt(address.replace("localhost", "example.org"))[0] == 550
        assert client.rcpt(f"reply+{'a' * 26}@localhost")[0] == 250


@pytest.mark.parametrize("scheme", ["smtp", "lmtp"])
def test_it_refuses_large_messages_for_each_recipient(
    start: Start, address: str, scheme: str, settings: Settings
) -> None:
    settings.MAIL_MAX_BYTES = 10_000
    with smtp(start(scheme)) as client:
        client.ehlo()
        client.mail("x@example.org")
        client.rcpt(address)
        client.rcpt(f"reply+{'a' * 26}@localhost")
        codes = [client.data(raw("x\n" * 10_000))[0]]
        if scheme == "lmtp":
            codes.append(client.getreply()[0])
    assert set(codes) == {552}
    assert IncomingMessage.objects.count() == 0


def test_it_accepts_long_lines(start: Start, address: str) -> None:
    with smtp(start("smtp")) as client:
        client.sendmail("alice@example.org", [address], raw() + b"x" * 5_000 + b"\r\n")
    assert IncomingMessage.objects.count() == 1


def test_the_probe_detects_whether_it_listens(start: Start, settings: Settings) -> None:
    from games.mail.inbound import listener_probe

    settings.MAIL_LISTEN = str(start("lmtp"))
    assert listener_probe.is_open()
    settings.MAIL_LISTEN = f"lmtp://127.0.0.1:{free_port()}"
    assert listener_probe.is_open() is False


def test_it_logs_neither_addresses_nor_text(
    start: Start, address: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    with smtp(start("smtp")) as client:
        client.sendmail("alice@example.org", [address], raw("Syzygy"))
    assert "Syzygy" not in caplog.text and "alice@" not in caplog.text
    assert address not in caplog.text


@pytest.mark.servers
def test_killed_at_any_time_it_loses_no_acknowledged_message(
    tmp_path: Path, stack: Callable[..., Any]
) -> None:
    """A mail server that got no reply retries; then the message is stored once."""
    port = free_port()
    running = stack(web=0, workers=0, beat=0, extra={"MAIL_LISTEN": f"lmtp://127.0.0.1:{port}"})
    token = running.shell(MAKE_ADDRESS).strip().splitlines()[-1]
    place = listener_address.parse(f"lmtp://127.0.0.1:{port}")
    answered = 0
    for number in range(6):
        with Path(os.devnull).open("wb") as log:
            process = preloaded.start(["manage.py", "listen_mail"], running.environment, log, log)
        wait_for(lambda: listens(place), "It should listen.")
        message = post.written("alice@example.org", f"board {number}")
        with socket.create_connection((place.host, place.port)) as line:
            replies = line.makefile("rb")
            for command in ("LHLO x", "MAIL FROM:<a@b.c>", f"RCPT TO:<{token}>", "DATA"):
                line.sendall(f"{command}\r\n".encode())
            while not replies.readline().startswith(b"354"):
                pass
            line.sendall(message.replace(b"\n", b"\r\n") + b"\r\n.\r\n")
            if number % 2:
                answered += replies.readline().startswith(b"250")
            os.kill(process.pid, signal.SIGKILL)
            process.wait()
    assert answered == 3
    rows = running.ask(IncomingMessage.objects.order_by("pk").values_list("pk"))
    assert answered <= len(rows) <= 6


@pytest.mark.soak
@pytest.mark.servers
def test_a_worker_processes_a_message_at_once(stack: Callable[..., Any]) -> None:
    port = free_port()
    extra = {"MAIL_LISTEN": f"smtp://127.0.0.1:{port}", "DEMO": "true"}
    running = stack(web=0, workers=1, beat=0, extra=extra)
    token = running.shell(MAKE_ADDRESS).strip().splitlines()[-1]
    place = listener_address.parse(extra["MAIL_LISTEN"])
    process = listen_in_a_process(running.environment)
    try:
        wait_for(lambda: listens(place), "It should listen.")
        with smtp(place) as client:
            client.sendmail("alice@example.org", [token], raw("matches"))
        outcomes = IncomingMessage.objects.values_list("outcome")
        wait_for(lambda: running.ask(outcomes) == [("shown",)], "It should be read.", 30)
        folder = running.var / "mail"
        wait_for(lambda: list(folder.glob("*.eml")), "The receipt should be sent.", 30)
    finally:
        process.terminate()
        assert process.wait(15) == 0


MAKE_ADDRESS = """
from tests.play import match_helpers
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.reply_addresses import About
from games.notifications.models import Purpose
alice = match_helpers.people().alice
print(reply_addresses.issue(About(dispatch_key="x", purpose=Purpose.LOBBY, user=alice)))
"""


def listen_in_a_process(environment: dict[str, str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "manage.py", "listen_mail"], cwd=ROOT, env=environment)


def test_a_match_continues_through_the_listener(start: Start, address: str) -> None:
    from games.mail.answering import worker

    with smtp(start("smtp")) as client:
        client.sendmail("alice@example.org", [address], raw("b4-b5"))
    match = Match.objects.get()
    assert worker.process_waiting() == 1
    assert match_helpers.as_is(match).ply == match.ply + 1
