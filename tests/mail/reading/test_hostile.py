"""Hostile messages cost little, and do not affect the next message."""

import os
import resource
import signal
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from random import Random

import pytest

from games.mail.answering.game_vocabulary import vocabulary
from games.mail.reading.child import client, wire_format
from games.mail.reading.child.server import LIMITS
from games.mail.reading.commands import Verb
from games.mail.reading.mime.charsets import CODECS
from games.mail.reading.mime.parts import read_parts
from lib.child_processes import ROOT
from tests import tiers
from tests.floors import at_least
from tests.mail.reading.clients import SHAPES, message
from tests.mail.reading.hostile import HEAD, MAX_MESSAGE_BYTES, MESSAGES, MIXED, nested
from tests.mail.reading.reader import read, read_in_child

CPU_SECONDS = 2
PROBLEMS = {"", "too large", "too deep", "too many parts", "header too large", "broken"}
MOVE = HEAD + b"\r\nd4-d5\r\n"


@pytest.fixture(scope="module", autouse=True)
def _server() -> Iterator[None]:
    yield
    client.stop()


def used() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


# One of each kind: of the header, nested, of one character set, of plain text and of HTML.
FAST_MESSAGES = (
    "60,000 quotes in From", "3,000 nested comments in To", "a subject of short words",
    "continuations in a part", "399 parts", "12 messages in each other", "no boundary",
    "carriage returns in the header", "underscores", "60,000 marks on one letter",
    "a codec that is no charset", "other ends", "open instructions", "tags of slashes",
    "17,000 styles", "padding", "zero bytes", "results of parentheses", "files",
)  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("name", tiers.parameters(MESSAGES, FAST_MESSAGES))
def test_a_hostile_message_stays_within_the_limits_of_the_child(name: str) -> None:
    before = used()
    parsed = read(MESSAGES[name][:MAX_MESSAGE_BYTES])
    assert parsed.problem in PROBLEMS
    assert used() - before < CPU_SECONDS
    assert len(parsed.own_lines) <= 4_000 and len(parsed.html_own_lines) <= 4_000


@pytest.mark.parametrize(
    ("kinds",),
    tiers.parameters(
        [(("plain",),), (("html",),), (("plain", "html"),)], fast=[(("plain", "html"),)]
    ),
)
def test_all_parts_share_one_budget_of_lines(kinds: tuple[str, ...]) -> None:
    parts = [
        f"--x\r\nContent-Type: text/{kinds[number % len(kinds)]}\r\n\r\n" + "<p>d4-d5\n" * 2_900
        for number in range(19)
    ]
    raw = MIXED + "\r\n".join(parts).encode()
    assert 450_000 < len(raw) < 530_000
    parsed = read(raw)
    assert 3_900 < len(parsed.own_lines) + len(parsed.html_own_lines) <= 4_000


def test_all_parts_share_one_budget_of_text() -> None:
    part = b"--x\r\nContent-Type: text/html\r\n\r\n" + b"<i></i>" * 33_000 + b"d4\r\n"
    texts = read_parts(MIXED + part * 4).html_texts
    assert [len(text) for text in texts] == [231_002, 231_002, 62_284, 0]


@pytest.mark.parametrize(
    "name",
    tiers.parameters(
        [*MESSAGES][::6], fast=("60,000 quotes in From", "no boundary", "tags of slashes")
    ),
)
def test_the_child_parses_like_the_parent(name: str) -> None:
    raw = MESSAGES[name][:MAX_MESSAGE_BYTES]
    assert read_in_child(raw) == read(raw)
    assert read_in_child(MOVE).commands[0].verb is Verb.MOVE


WATCHED = (
    "import sys, base64; sys.path.insert(0, sys.argv[1])\n"
    "from games.mail.reading.child import server\n"
    "server._warm_up()\n"
    "seen = set()\n"
    "def watch(event, values):\n"
    "    if event in ('open', 'import'): seen.add(str(values[0]))\n"
    "sys.addaudithook(watch)\n"
    "for line in sys.stdin:\n"
    "    server._parse(base64.b64decode(line))\n"
    "print(sorted(seen))\n"
)


@pytest.mark.parametrize("most_bytes", tiers.parameters((1_000, 20_000), fast=(1_000,)))
def test_after_its_warm_up_the_child_opens_no_file(most_bytes: int) -> None:
    charsets = [
        b"From: a@b.org\nSubject: =?%b?b?YQ==?=\nContent-Type: text/plain; charset=%b\n\n\xe4\xb8"
        % (name.encode(), name.encode())
        for name in CODECS
    ]
    messages = [message(shape, "d4-d5") for shape in SHAPES]
    messages += [raw[:most_bytes] for raw in MESSAGES.values()]
    requests = [
        b64encode(wire_format.encode_request(raw, vocabulary()))
        for raw in at_least(200, messages + charsets)
    ]
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-c", WATCHED, str(ROOT)],
        input=b"\n".join(requests),
        stdout=subprocess.PIPE,
        check=True,
        timeout=120,
    )
    assert ended.stdout == b"[]\n", "A fork can open nothing, so it would not read that message."


NOISE = [
    b"\r", b"\n", b"<", b">", b"\0", b"&#x110000;", b"--", b"=\n", b"\xff\xfe", b"<!--", b"</",
    b"[", b"\xed\xa0\x80", b"From: x\r\n", b":", b";charset*0*=", b"\xe2\x80\xae", b"=?utf-8?b?A?=",
]  # fmt: skip


@pytest.mark.parametrize("count", tiers.parameters((100, 600), fast=(100,)))
def test_damaged_messages_are_parsed_or_refused(count: int) -> None:
    dice = Random(5)
    whole = [message(shape, "d4-d5") for shape in SHAPES] + [m[:3_000] for m in MESSAGES.values()]
    problems = set()
    for _ in range(count):
        raw = bytearray(dice.choice(whole))
        for _ in range(dice.randrange(1, 30)):
            place = dice.randrange(len(raw) + 1)
            raw[place : place + dice.choice((0, 0, 1, 40))] = dice.choice(NOISE)
        parsed = read(bytes(raw))
        problems.add(parsed.problem)
        assert wire_format.decode_parsed(wire_format.encode_parsed(parsed)) == parsed
    assert problems <= PROBLEMS - {"broken"}


def test_the_author_of_an_unreadable_message_is_known() -> None:
    for raw in (
        HEAD + b"\r\n" + b"x" * MAX_MESSAGE_BYTES,
        HEAD + b"X: y\r\n" * 20_000,
        nested("mixed", 20),
    ):
        for parsed in (read(raw), read_in_child(raw)):
            assert parsed.problem and parsed.from_addresses == ("a@example.org",)
            assert parsed.message_id == "<1@example.org>" and not parsed.commands


def test_a_large_message_is_not_sent_to_the_child() -> None:
    assert read_in_child(b"x" * (MAX_MESSAGE_BYTES + 1)).problem == "too large"
    assert read_in_child(b"x\n\n" * 10, max_bytes=20).problem == "too large"
    assert read(b"x" * (MAX_MESSAGE_BYTES + 1)).problem == "too large"


# Faults injected into the child, since no known message causes them.
FAULTS = {
    "it never ends": "while True: pass",
    "it takes all memory": "held = [bytearray(1 << 20) for _ in range(1 << 20)]",
    "it dies": "os.kill(os.getpid(), 9)",
    "it crashes": "import ctypes; ctypes.string_at(0)",
    "its stack overflows": "f = lambda: f(); f()",
    "it writes a file": "open('/tmp/reader-fault', 'w').write('x')",
    "it returns something else": "return None",
}


@pytest.mark.long
@pytest.mark.parametrize(
    ("fault", "cpu_seconds"),
    tiers.parameters(
        [("it never ends", 1), *((fault, LIMITS.cpu_seconds) for fault in FAULTS)],
        fast=[
            ("it never ends", 1),
            *((fault, LIMITS.cpu_seconds) for fault in ("it crashes", "it returns something else")),
        ],
    ),
)
def test_a_crash_of_the_child_affects_one_message(
    fault: str, cpu_seconds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = (
        "import sys, os; sys.path.insert(0, sys.argv[1])\n"
        "from dataclasses import replace\n"
        "from games.mail.reading.child import server, wire_format\n"
        f"server.LIMITS = replace(server.LIMITS, cpu_seconds={cpu_seconds})\n"
        "right = server.parse_message\n"
        "def wrong(raw, games, most):\n"
        "    if b'FAULT' in raw:\n"
        f"        {FAULTS[fault]}\n"
        "    return right(raw, games, most)\n"
        "server.parse_message = wrong\n"
        "server.serve()\n"
    )
    client.stop()
    monkeypatch.setattr(client.reader, "program", program)
    try:
        lost = read_in_child(HEAD + b"\r\nFAULT")
        assert (lost.problem, lost.from_addresses) == ("broken", ("a@example.org",))
        assert read_in_child(MOVE) == read(MOVE)
    finally:
        client.stop()


def test_a_dead_child_is_restarted() -> None:
    read_in_child(MOVE)
    process = client.reader.process
    assert process
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    assert read_in_child(MOVE) == read(MOVE)


def test_a_child_that_cannot_start_is_not_blamed_on_the_message(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    client.stop()
    monkeypatch.setattr(client.reader, "program", "raise SystemExit(1)")
    with pytest.raises(client.ReaderLost):
        read_in_child(MOVE)


def test_a_fork_starts_its_own_child() -> None:
    read_in_child(MOVE)
    program = (
        "import os, sys\n"
        "from games.mail.reading.child import client\n"
        "from games.mail.reading.child.server import PLACEHOLDER_VOCABULARY\n"
        "client.read_in_child(b'\\nd4-d5', PLACEHOLDER_VOCABULARY)\n"
        "fork = os.fork()\n"
        "same = client.read_in_child(b'\\nd4-d5', PLACEHOLDER_VOCABULARY).commands\n"
        "client.stop()\n"
        "if not fork: os._exit(0 if same else 1)\n"
        "sys.exit(os.waitpid(fork, 0)[1] or not same)\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=60)


def test_the_child_has_an_empty_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("READER_SECRET", "x")
    client.stop()
    read_in_child(MOVE)
    process = client.reader.process
    assert process
    with open(f"/proc/{process.pid}/environ", "rb") as environment:  # noqa: PTH123 - not a file.
        assert b"READER_SECRET" not in environment.read()


def test_a_parsed_message_survives_the_wire_format() -> None:
    for raw in (
        MOVE,
        HEAD + "\r\n7: blow d6 c4-c5\r\n\r\nnote 認輸 \ud83d".encode("utf-8", "surrogatepass"),
        HEAD
        + b"Auto-Submitted: auto-replied\r\n\r\nRRR.R.RSCE\nEBFLLM.ECB\nKLRSKBR.BS\nLGJJKYRKES",
    ):
        assert wire_format.decode_parsed(wire_format.encode_parsed(read(raw))) == read(raw)


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"{",
        b"[]",
        b"{}",
        b"null",
        b'{"machine": "no", "commands": [{"verb": "fly"}]}',
        b'{"machine": "no", "commands": [], "problem": 1}',
        b'{"machine": "no", "commands": [], "more": 1}',
        b'{"machine": "no", "commands": [], "own": [["x"]]}',
        b'{"machine": "no", "commands": [], "own": "x"}',
        b"[" * 100_000,
        b"\xff",
    ],
)
def test_an_invalid_answer_is_refused(answer: bytes) -> None:
    assert wire_format.decode_parsed(answer) is None
