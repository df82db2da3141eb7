"""The web server with clients that send slowly, too much, or nothing."""

import json
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from urllib.request import urlopen

import pytest

from tests.preloaded import ROOT
from tests.servers import free_port, wait_for, wait_for_port

pytestmark = pytest.mark.servers

# An application that returns when its request arrived, and when it was called. "/slow" takes long.
SERVER = """
import json, sys, time
from config.processes import web_server
from config.processes.listening import listen

def application(environment, start_response):
    asked = time.time()
    if environment["PATH_INFO"] == "/slow":
        time.sleep(1.5)
    if environment["PATH_INFO"].startswith("/empty/"):
        start_response(environment["PATH_INFO"][len("/empty/"):] + " Empty", [])
        return []
    if environment["PATH_INFO"] == "/read":
        environment["wsgi.input"].read()
    if int(environment.get("CONTENT_LENGTH") or 0) > web_server.MAX_BODY_BYTES:
        start_response("413 Too Large", [("Content-Type", "text/plain")])
        return [environment["CONTENT_LENGTH"].encode()]
    start_response("200 OK", [("Content-Type", "application/json")])
    return [json.dumps([environment[web_server.ARRIVED_AT], asked]).encode()]

for name, value in json.loads(sys.argv[2]).items():
    setattr(web_server, name, value)
web_server.serve(application, listen("127.0.0.1", int(sys.argv[1])), threads=2)
"""
HEADERS = b"GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: "
BODY = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n"

Serve = Callable[..., int]
Connect = Callable[..., socket.socket]


@pytest.fixture
def serve() -> Iterator[Serve]:
    """Starts the server with these constants; returns its port."""
    processes = []

    def start(**constants: float) -> int:
        port = free_port()
        command = [sys.executable, "-c", SERVER, str(port), json.dumps(constants)]
        processes.append(subprocess.Popen(command, cwd=ROOT))
        wait_for_port(port)
        return port

    start.processes = processes  # type: ignore[attr-defined]
    yield start
    for process in processes:
        process.kill()
        process.wait()


def get(port: int, path: str = "/") -> list[float]:
    with urlopen(f"http://127.0.0.1:{port}{path}", timeout=20) as answer:
        return list(json.loads(answer.read()))


@pytest.fixture
def connect() -> Iterator[Connect]:
    """Opens a connection and sends the beginning of a request."""
    lines = []

    def start(port: int, sent: bytes = b"") -> socket.socket:
        lines.append(socket.create_connection(("127.0.0.1", port), timeout=20))
        lines[-1].sendall(sent)
        return lines[-1]

    yield start
    for line in lines:
        line.close()


def is_closed(line: socket.socket) -> bool:
    """Whether the server has closed this connection, to which another byte is sent."""
    try:
        line.sendall(b"x")
        line.setblocking(False)
        return line.recv(1000) == b""
    except BlockingIOError:
        return False
    except OSError:
        return True
    finally:
        line.settimeout(20)


@pytest.mark.parametrize("begun", [HEADERS, BODY])
def test_a_slow_client_blocks_no_other_and_is_disconnected(
    serve: Serve, connect: Connect, begun: bytes
) -> None:
    port = serve(REQUEST_SECONDS=2, CLEANUP_SECONDS=1)
    lines = [connect(port, begun) for _ in range(10)]
    for _ in range(3):
        get(port)  # two threads, ten slow clients
        assert not all(map(is_closed, lines))
    # A byte does not extend the time, which is for the whole request.
    wait_for(lambda: all(map(is_closed, lines)), "They should be cut off.", 10)
    get(port)


def test_a_silent_client_is_disconnected(serve: Serve, connect: Connect) -> None:
    port = serve(IDLE_SECONDS=1, CLEANUP_SECONDS=1)
    silent, begun = connect(port), connect(port, HEADERS)
    assert silent.recv(100) == b"" and begun.recv(100) == b""


def test_a_request_arrives_with_its_last_byte_however_long_it_waits(
    serve: Serve, connect: Connect
) -> None:
    port = serve()
    with ThreadPoolExecutor(2) as others:
        slow = [others.submit(get, port, "/slow") for _ in range(2)]
        time.sleep(0.3)
        line = connect(port, b"POST / HTTP/1.0\r\nContent-Length: 2\r\n\r\na")
        time.sleep(0.3)
        sent = time.time()
        line.sendall(b"b")
        with line.makefile("rb") as answer:
            arrived, second_asked = json.loads(answer.read().rpartition(b"\r\n")[2])
        assert all(other.result() for other in slow)
    assert sent <= arrived < sent + 0.3  # both threads were busy for longer
    assert second_asked > arrived + 0.3


def test_too_long_a_body_is_refused_before_it_is_read(serve: Serve) -> None:
    port = serve()
    with closing(HTTPConnection("127.0.0.1", port, timeout=20)) as connection:
        connection.putrequest("POST", "/")
        connection.putheader("Content-Length", str(300 * 2**20))
        connection.endheaders()
        answer = connection.getresponse()
        assert answer.status == 413 and answer.getheader("Connection") == "close"
        assert answer.read() == str(300 * 2**20).encode()


def test_too_long_a_body_of_unknown_length_is_refused(serve: Serve, connect: Connect) -> None:
    begun = b"POST / HTTP/1.1\r\nHost: here\r\nTransfer-Encoding: chunked\r\n\r\n"
    line = connect(serve(MAX_BODY_BYTES=1000), begun)
    line.sendall(b"7d0\r\n" + b"x" * 2000)
    assert b" 413 " in line.recv(1000).splitlines()[0]


def test_bytes_after_a_body_that_is_too_long_are_no_request(serve: Serve, connect: Connect) -> None:
    begun = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 9000000\r\n\r\n"
    line = connect(serve(), begun + b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    with line.makefile("rb") as answer:
        answered = answer.read()
    assert b" 413 " in answered.splitlines()[0]
    assert answered.count(b"HTTP/1.1") == 1


def test_a_client_that_expects_100_continue_need_not_send_too_long_a_body(
    serve: Serve, connect: Connect
) -> None:
    begun = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 9000000\r\n"
    line = connect(serve(), begun + b"Expect: 100-continue\r\n\r\n")
    assert b" 413 " in line.recv(1000).splitlines()[0]


def test_too_long_a_body_cannot_be_read(serve: Serve, connect: Connect) -> None:
    begun = b"POST /read HTTP/1.1\r\nHost: here\r\nContent-Length: 9000000\r\n\r\n"
    assert b" 500 " in connect(serve(), begun).recv(1000).splitlines()[0]


def test_a_length_of_thousands_of_digits_is_a_bad_request(serve: Serve, connect: Connect) -> None:
    begun = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: " + b"9" * 5_000 + b"\r\n\r\n"
    assert b" 400 " in connect(serve(), begun).recv(1000).splitlines()[0]


def test_headers_have_a_limit(serve: Serve, connect: Connect) -> None:
    line = connect(serve(), HEADERS + b"x" * 70_000)
    assert b" 431 " in line.recv(1000).splitlines()[0]


@pytest.mark.parametrize("status", [204, 304])
def test_a_response_without_content_leaves_the_connection_open(serve: Serve, status: int) -> None:
    with closing(HTTPConnection("127.0.0.1", serve(), timeout=20)) as connection:
        for headers, closes in (({}, False), ({}, False), ({"Connection": "close"}, True)):
            line = connection.sock
            connection.request("GET", f"/empty/{status}", headers=headers)
            assert line is None or connection.sock is line, "The same connection serves again."
            answer = connection.getresponse()
            assert (answer.status, answer.read()) == (status, b"")
            assert (answer.getheader("Connection") == "close") is closes


def test_one_address_cannot_take_all_connections(serve: Serve, connect: Connect) -> None:
    port = serve(CONNECTIONS_AN_ADDRESS=20)
    lines = [connect(port, HEADERS) for _ in range(40)]
    wait_for(lambda: sum(map(is_closed, lines)) == 20, "Half of them should be closed.", 10)
    for line in lines:
        line.close()
    wait_for(lambda: get(port), "Then it is free again.", 10)


def test_open_requests_are_answered_before_it_stops(serve: Serve) -> None:
    port = serve()
    (process,) = serve.processes  # type: ignore[attr-defined]
    with ThreadPoolExecutor(1) as others:
        answer = others.submit(get, port, "/slow")
        time.sleep(0.5)
        process.send_signal(signal.SIGTERM)
        assert answer.result()
    assert process.wait(10) == 0


FORM = b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nab"


def first_answer(line: socket.socket) -> bytes:
    """The first answer on a connection, whole, which leaves nothing of it for later."""
    with line.makefile("rb") as answer:
        head = b"".join(iter(answer.readline, b"\r\n"))
        (length,) = re.findall(rb"Content-Length: (\d+)", head)
        return head + answer.read(int(length))


def received(line: socket.socket) -> bytes:
    """What the server sends until it closes the connection."""
    with line.makefile("rb") as answer:
        return answer.read()


def test_a_form_that_came_before_the_stop_is_answered_and_no_later_one_is_accepted(
    serve: Serve, connect: Connect
) -> None:
    port = serve()
    (process,) = serve.processes  # type: ignore[attr-defined]
    kept, begun = connect(port, FORM), connect(port, FORM[:-1])
    assert first_answer(kept)
    process.send_signal(signal.SIGSTOP)
    # On a connection that it has accepted, and on one that is still waiting.
    kept.sendall(FORM)
    waiting = connect(port, FORM)
    process.send_signal(signal.SIGTERM)
    process.send_signal(signal.SIGCONT)
    for line in (kept, waiting):
        answer = received(line)
        assert answer.startswith(b"HTTP/1.1 200 OK") and b"Connection: close" in answer
    with pytest.raises(ConnectionRefusedError):
        connect(port)
    begun.sendall(FORM[-1:])
    assert received(begun).startswith(b"HTTP/1.1 200 OK")
    assert process.wait(10) == 0


def test_a_form_that_follows_the_stop_on_an_open_connection_is_answered(
    serve: Serve, connect: Connect
) -> None:
    port = serve(LINGER_SECONDS=5)
    (process,) = serve.processes  # type: ignore[attr-defined]
    kept, idle, silent = connect(port, FORM), connect(port, FORM), connect(port)
    assert first_answer(kept) and first_answer(idle)
    process.send_signal(signal.SIGTERM)
    wait_for(lambda: refuses(port), "It should stop listening.", 10)
    kept.sendall(FORM)
    assert received(kept).startswith(b"HTTP/1.1 200 OK")
    assert received(idle) == received(silent) == b""
    assert process.wait(10) == 0


def refuses(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return True
    return False
