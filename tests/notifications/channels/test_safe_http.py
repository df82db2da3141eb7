"""URLs entered by users are called only at public addresses."""

import socket
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from pytest_django import Settings

from games.notifications.channels import safe_http
from games.notifications.channels.safe_http import NotAllowed, is_public
from tests.notifications.receiver import Receiver

INNER = [
    "0.0.0.0",
    "0.1.2.3", "10.0.0.1", "100.64.0.1", "127.0.0.1", "127.255.255.254", "169.254.169.254",
    "172.16.0.1", "172.31.255.255", "192.0.0.1",
    "192.0.2.1", "192.88.99.1", "192.168.1.1",
    "198.18.0.1", "198.51.100.1", "203.0.113.1", "224.0.0.1", "239.255.255.255", "240.0.0.1",
    "255.255.255.255", "::", "::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
    "::ffff:8.8.8.8", "64:ff9b::7f00:1", "64:ff9b:1::1", "100::1", "2001::1", "2001:2::1",
    "2001:db8::1",
    "2002:7f00:1::", "2002:0a00:1::", "3fff::1", "5f00::1", "fc00::1", "fd12:3456::1",
    "fe80::1", "fe80::1%eth0", "fec0::1", "ff02::1",
]  # fmt: skip

REFUSED = [
    "", "localhost", "http://example.org/", "ftp://example.org/", "file:///etc/passwd", "https://",
    "https:///path", "https://localhost/", "https://127.0.0.1/", "https://127.1/", "https://0/",
    "https://2130706433/", "https://0x7f000001/", "https://0177.0.0.1/", "https://[::1]/",
    "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[fe80::1]/",
    "https://[64:ff9b::7f00:1]/", "https://[2002:7f00:1::]/", "https://10.1.2.3/",
    "https://169.254.169.254/latest/meta-data/", "https://192.168.0.1/", "https://172.20.0.1/",
    "https://100.100.100.200/", "https://8.8.8.8:22/", "https://8.8.8.8:8443/", "https://8.8.8.8:0/",
    "https://8.8.8.8:99999/", "https://name:word@8.8.8.8/", "https://8.8.8.8@127.0.0.1/",
    "https://8.8.8.8#@127.0.0.1/", "https://8.8.8.8\\@127.0.0.1/", "https://8.8.8.8/ x",
    "https://8.8.8.8/\r\nHost: inner", "https://8.8.8.8/\x00", "https://[::1", "https://①②⑦.①/",
    "//8.8.8.8/", "javascript:alert(1)", "https://8.8.8.8/" + "x" * 500,
]  # fmt: skip


@pytest.mark.parametrize("address", INNER)
def test_a_private_address_is_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["8.8.8.8", "93.184.215.14", "2606:4700::1111", "2a00:1450::1"])
def test_a_public_address_is_public(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize("url", REFUSED)
def test_a_private_address_is_refused_with_a_sentence(url: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        safe_http.check(url)
    assert str(refusal.value).endswith(".")


@pytest.mark.parametrize("url", ["https://8.8.8.8/hook", "https://[2606:4700::1111]/hook?a=b"])
def test_a_public_address_may_be_called(url: str) -> None:
    safe_http.check(url)


def patch_resolver(*addresses: str) -> Callable[..., list[Any]]:
    return lambda host, port, **_: [
        (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses
    ]


def test_a_name_with_one_private_address_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "getaddrinfo", patch_resolver("8.8.8.8", "10.0.0.1"))
    with pytest.raises(NotAllowed, match="private network"):
        safe_http.locate("https://hooks.example.org/")


def test_a_name_is_looked_up_once(monkeypatch: pytest.MonkeyPatch, receiver: Receiver) -> None:
    """The name resolves to the receiver once, then to nothing."""
    answers = iter([patch_resolver("127.0.0.1")])
    monkeypatch.setattr(socket, "getaddrinfo", lambda *a, **k: next(answers)(*a, **k))
    place = safe_http.locate(receiver.url())
    monkeypatch.undo()
    assert (place.ip, place.host) == ("127.0.0.1", "127.0.0.1")
    assert safe_http.post(receiver.url(), b"{}", {}).status == 200


def test_the_connection_uses_the_address_that_was_checked(
    monkeypatch: pytest.MonkeyPatch, receiver: Receiver
) -> None:
    called = []
    connect = socket.create_connection

    def recording_connect(address: Any, *more: Any) -> socket.socket:
        called.append(address)
        return connect(address, *more)

    monkeypatch.setattr(socket, "create_connection", recording_connect)
    safe_http.post(receiver.url(), b"{}", {})
    assert called == [("127.0.0.1", receiver.port)]


def test_only_a_test_setting_allows_a_private_address(
    receiver: Receiver, settings: Settings
) -> None:
    settings.SAFE_HTTP_TRUSTED = frozenset()
    for url in (receiver.url(), f"https://localhost:{receiver.port}/"):
        with pytest.raises(NotAllowed):
            safe_http.post(url, b"{}", {})
    assert receiver.received == []


def test_the_request_arrives_unchanged(receiver: Receiver) -> None:
    answer = safe_http.post(receiver.url("/a?b=c"), b'{"a": 1}', {"X-Test": "1"})
    (came,) = receiver.received
    assert (came.path, came.body, came.headers["x-test"]) == ("/a?b=c", b'{"a": 1}', "1")
    assert came.headers["host"] == f"127.0.0.1:{receiver.port}"
    assert answer.status == 200 and len(answer.body) == safe_http.MAX_ANSWER_BYTES


def test_a_redirect_is_not_followed(receiver: Receiver) -> None:
    receiver.status, receiver.location = 302, receiver.url("/elsewhere")
    assert safe_http.post(receiver.url(), b"{}", {}).status == 302
    assert [came.path for came in receiver.received] == ["/hook?key=1"]


def test_an_untrusted_certificate_is_refused(receiver: Receiver, settings: Settings) -> None:
    settings.SAFE_HTTP_AUTHORITY = None
    with pytest.raises(OSError, match="CERTIFICATE_VERIFY_FAILED"):
        safe_http.post(receiver.url(), b"{}", {})
    assert receiver.received == []


def test_a_slow_response_is_cut_off(receiver: Receiver, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(safe_http, "CALL_SECONDS", 0.5)
    receiver.pause = 0.05
    begin = time.monotonic()
    with pytest.raises(OSError):
        safe_http.post(receiver.url(), b"{}", {})
    assert time.monotonic() - begin < 3


def test_a_slow_handshake_is_cut_off(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> None:
    monkeypatch.setattr(safe_http, "CALL_SECONDS", 0.5)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        settings.SAFE_HTTP_TRUSTED = frozenset({("127.0.0.1", port)})

        def dribble() -> None:
            line, _ = server.accept()
            with line:
                for byte in bytes.fromhex("1603034000") + bytes(80):  # 16 KiB of a hello to come
                    try:
                        line.send(bytes([byte]))
                    except OSError:
                        return
                    time.sleep(0.05)

        threading.Thread(target=dribble, daemon=True).start()
        begin = time.monotonic()
        with pytest.raises(OSError):
            safe_http.post(f"https://127.0.0.1:{port}/", b"{}", {})
        assert time.monotonic() - begin < 2


def test_a_resolver_without_an_answer_times_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    silence = threading.Event()
    monkeypatch.setattr(safe_http, "TIMEOUT_SECONDS", 0.2)
    look_up = socket.getaddrinfo

    def silent_resolver(host: str, port: int, flags: int = 0, **named: Any) -> list[Any]:
        if flags & socket.AI_NUMERICHOST:  # then no server is asked
            return look_up(host, port, flags=flags, **named)
        silence.wait(10)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", silent_resolver)
    begin = time.monotonic()
    with pytest.raises(TimeoutError):
        safe_http.post("https://hooks.example.org/", b"{}", {})
    # A page does not even ask it.
    safe_http.check("https://hooks.example.org/")
    assert time.monotonic() - begin < 2
    silence.set()


def test_the_look_up_counts_towards_the_time_limit(
    monkeypatch: pytest.MonkeyPatch, receiver: Receiver
) -> None:
    look_up = socket.getaddrinfo

    def slow_resolver(*what: Any, **more: Any) -> Any:
        time.sleep(0.5)
        return look_up(*what, **more)

    monkeypatch.setattr(safe_http, "CALL_SECONDS", 0.4)
    monkeypatch.setattr(socket, "getaddrinfo", slow_resolver)
    with pytest.raises(OSError):
        safe_http.post(receiver.url(), b"{}", {})
    assert receiver.received == []


def test_a_refused_connection_is_an_ordinary_error(receiver: Receiver, settings: Settings) -> None:
    port = receiver.port
    receiver.stop()
    with pytest.raises(OSError):
        safe_http.post(f"https://127.0.0.1:{port}/", b"{}", {})
    receiver.start()
