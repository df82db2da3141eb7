"""Connecting a program to a site: what it requests and sends, how it handles failures and restarts.

The site is a small web server with a few prepared resources; tests/api/ has the real one.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import threading
from argparse import Namespace
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from games.bots import connect

TOKEN = "estafette_" + "x" * 38
BOARD = "RRR1R1RSCE"
# Answers each line with the move of `at`, and writes to `log` what it was started with and given.
PROGRAM = """
import json, os, sys
log = open({log!r}, "a")
print("start", *sys.argv[1:], os.environ.get("ESTAFETTE_TOKEN"), file=log, flush=True)
for text in sys.stdin:
    line = json.loads(text)
    print(line["ask"], line["at"], file=log, flush=True)
    if line["ask"] in ("setup", "move"):
        {extra}
        print("move-%d" % line["at"], flush=True)
print("eof", file=log, flush=True)
"""


def line(ask: str, at: int, **more: Any) -> dict[str, Any]:
    return {"ask": ask, "at": at, "match": 7, "board": BOARD, **more}


class Site(ThreadingHTTPServer):
    """Resources by path, a queue of failures, and what was posted."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.resources: dict[str, Any] = {}
        self.failures: list[tuple[int, dict[str, str], bytes]] = []
        self.replies: dict[str, list[tuple[int, Any]]] = {}
        self.posted: list[tuple[str, Any, str]] = []
        self.gets: list[tuple[str, int]] = []
        self.connections = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"

    def wait_for(self, *turns: tuple[int, int], invitations: Any = ()) -> None:
        """Offer these matches at these plies in /waiting."""
        self.resources["/waiting"] = {
            "matches": [
                {"match": match, "ply": ply, "preset": "lattaque-en"} for match, ply in turns
            ],
            "invitations": list(invitations),
        }


class Handler(BaseHTTPRequestHandler):
    server: Site
    protocol_version = "HTTP/1.1"

    def setup(self) -> None:
        self.server.connections += 1
        super().setup()

    def log_message(self, *_: object) -> None:
        """Say nothing."""

    def answer(self, status: int, content: bytes, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(content)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    def failed(self) -> bool:
        if self.headers["Authorization"] != f"Bearer {TOKEN}":
            self.answer(401, b"{}", {})
            return True
        if self.server.failures:
            status, headers, content = self.server.failures.pop(0)
            if status == 0:
                self.close_connection = True
                return True
            self.answer(status, content, headers)
            return True
        return False

    def do_GET(self) -> None:
        if self.failed():
            return
        path = self.path.removeprefix("/api/v1")
        resource = self.server.resources.get(path)
        if resource is None:
            self.answer(404, b'{"code": "not-found"}', {})
            return
        is_lines = "/lines" in path
        text = "".join(json.dumps(each) + "\n" for each in resource) if is_lines else None
        content = (text if text is not None else json.dumps(resource)).encode()
        tag = '"' + hashlib.sha256(content).hexdigest()[:8] + '"'
        status = 304 if self.headers["If-None-Match"] == tag else 200
        self.server.gets.append((path, status))
        kind = "application/x-ndjson" if is_lines else "application/json"
        headers = {"ETag": tag, "Content-Type": kind}
        self.answer(status, b"" if status == 304 else content, headers)

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        if self.failed():
            return
        path = self.path.removeprefix("/api/v1")
        sent = json.loads(body) if body else None
        self.server.posted.append((path, sent, self.headers["Idempotency-Key"]))
        replies = self.server.replies.get(path)
        status, content = replies.pop(0) if replies else (200, {"ply": 1})
        self.answer(status, json.dumps(content).encode(), {"Content-Type": "application/json"})


@pytest.fixture
def site() -> Iterator[Site]:
    server = Site()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log"


@pytest.fixture(autouse=True)
def no_waiting(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that were slept."""
    slept: list[float] = []
    monkeypatch.setattr(connect, "time", SimpleNamespace(sleep=slept.append))
    monkeypatch.setenv("ESTAFETTE_TOKEN", TOKEN)
    return slept


@pytest.fixture(autouse=True)
def error_output(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was written on standard error."""
    written: list[str] = []
    monkeypatch.setattr(connect, "note", written.append)
    return written


def run(site: Site, log: Path, *options: str, extra: str = "pass") -> int:
    program = log.with_name("program.py")
    program.write_text(PROGRAM.format(log=str(log), extra=extra))
    return connect.main([site.url, "--once", *options, "--", sys.executable, str(program)])


def received_lines(log: Path) -> list[str]:
    """The lines that programs were given; `start` for each program."""
    return [text if text[0] != "s" else text.split()[0] for text in log.read_text().splitlines()]


def test_a_turn_is_answered_under_a_key_of_match_and_ply(site: Site, log: Path) -> None:
    site.wait_for((7, 14))
    site.resources["/matches/7/lines"] = [line("hear", 10, answer="a4-a5"), line("move", 14)]
    site.resources["/matches?state=finished"] = {"matches": []}
    assert run(site, log) == 0
    assert site.posted == [("/matches/7/moves", {"move": "move-14", "ply": 14}, "match-7-ply-14")]
    start, *given = log.read_text().splitlines()
    assert given == ["hear 10", "move 14", "eof"]
    assert re.fullmatch(r"start lattaque-en --seed \d+ None", start)
    assert site.connections == 1


def test_a_set_up_is_sent(site: Site, log: Path) -> None:
    site.wait_for((7, 0))
    site.resources["/matches/7/lines"] = [line("setup", 0)]
    assert run(site, log, "--seed", "5") == 0
    assert site.posted == [("/matches/7/setup", {"setup": "move-0"}, "match-7-ply-0")]
    assert "--seed 5 " in log.read_text()


def test_a_program_gets_only_lines_it_has_not_read(site: Site, log: Path) -> None:
    site.wait_for((7, 14))
    site.resources["/matches/7/lines"] = [line("move", 14)]
    site.resources["/matches/7/lines?after=14"] = [line("move", 16)]
    site.resources["/matches/7/lines?after=16"] = [line("end", 18)]
    site.resources["/matches?state=finished"] = {"matches": []}
    options = Namespace(presets=None, decline=False, at_most=20, wall=60.0, seed=1, once=True)
    program = log.with_name("program.py")
    program.write_text(PROGRAM.format(log=str(log), extra="pass"))
    options.command = [sys.executable, str(program)]
    player = connect.Connection(connect.Service(site.url, TOKEN, 1), options, TOKEN)
    player._work()
    player._work()
    assert site.gets[-2:] == [("/waiting", 304), ("/matches?state=finished", 304)]
    site.wait_for((7, 16))
    player._work()
    site.wait_for()
    site.resources["/matches?state=finished"] = {"matches": [{"match": 7}, {"match": 6}]}
    player._work()
    assert player.programs == {}
    player.service.connection.close()
    assert received_lines(log) == ["start", "move 14", "move 16", "end 18", "eof"]
    assert [body["ply"] for _path, body, _key in site.posted] == [14, 16]


def test_after_an_illegal_answer_a_new_process_is_asked_once_more(
    site: Site, log: Path, error_output: list[str], capfd: pytest.CaptureFixture[str]
) -> None:
    site.wait_for((7, 14))
    site.resources["/matches/7/lines"] = [line("hear", 10), line("move", 14)]
    refused = (422, {"code": "illegal-move", "detail": "A bomb cannot move."})
    site.replies["/matches/7/moves"] = [refused, refused, refused]
    assert run(site, log) == 0
    assert len(site.posted) == 2
    assert received_lines(log) == ["start", "hear 10", "move 14", "eof"] * 2
    assert error_output == ["match 7, ply 14: illegal-move: A bomb cannot move."] * 2
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    "extra", ["sys.exit(3)", "os.kill(os.getpid(), 9)", "import time; time.sleep(60)"]
)
def test_a_program_that_ends_or_is_too_slow_is_restarted(
    site: Site, log: Path, extra: str, error_output: list[str]
) -> None:
    site.wait_for((7, 14))
    site.resources["/matches/7/lines"] = [line("move", 14)]
    assert run(site, log, "--wall", "1", extra=extra) == 0
    assert not site.posted
    assert received_lines(log) == ["start", "move 14"] * 2
    assert error_output == ["match 7, ply 14: the program gave no answer"] * 2


@pytest.mark.parametrize("code", ["stale-ply", "match-over", "key-reused"])
def test_a_match_that_has_moved_on_is_read_again(site: Site, log: Path, code: str) -> None:
    site.wait_for((7, 14))
    site.resources["/matches/7/lines"] = [line("move", 14)]
    site.replies["/matches/7/moves"] = [(409, {"code": code})]
    assert run(site, log) == 0
    assert len(site.posted) == 1


def test_failures_are_retried_and_the_answer_is_sent_once(
    site: Site, log: Path, no_waiting: list[float]
) -> None:
    site.wait_for((7, 14))
    site.resources["/matches/7/lines"] = [line("move", 14)]
    site.failures = [
        (0, {}, b""),
        (503, {}, b"<html>"),
        (429, {"Retry-After": "37"}, b"{}"),
        (200, {"Content-Type": "application/json"}, b'{"matches": [{"ma'),
    ]
    assert run(site, log) == 0
    assert no_waiting == [1, 2, 37, 8]
    assert len(site.posted) == 1


def test_waiting_times_double_up_to_five_minutes(site: Site, no_waiting: list[float]) -> None:
    site.failures = [(500, {}, b"")] * 12
    service = connect.Service(site.url, TOKEN, None)
    assert service.get("/nothing") is None
    service.connection.close()
    assert no_waiting == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300]


def test_a_refused_token_ends_it(
    site: Site, log: Path, monkeypatch: pytest.MonkeyPatch, error_output: list[str]
) -> None:
    monkeypatch.setenv("ESTAFETTE_TOKEN", "estafette_another")
    with pytest.raises(SystemExit) as ended:
        run(site, log)
    assert ended.value.code == 2
    assert error_output == ["the service does not accept the token"]


def test_challenges_are_accepted_or_declined_by_preset(site: Site, log: Path) -> None:
    challenges = [
        {"invitation": 3, "preset": "lattaque-en"},
        {"invitation": 4, "preset": "assaut"},
    ]
    site.wait_for(invitations=challenges)
    site.replies["/invitations/3/accept"] = [(409, {"code": "limit-reached"})]
    assert run(site, log, "--presets", "domino,lattaque-en") == 0
    assert [path for path, _body, _key in site.posted] == ["/invitations/3/accept"]
    site.posted.clear()
    assert run(site, log, "--presets", "domino", "--decline") == 0
    assert site.posted == [
        ("/invitations/3/decline", None, "invitation-3-decline"),
        ("/invitations/4/decline", None, "invitation-4-decline"),
    ]
    site.posted.clear()
    assert run(site, log) == 0
    assert len(site.posted) == 2 and all("accept" in path for path, *_ in site.posted)


def test_the_number_of_running_programs_is_limited(site: Site, log: Path) -> None:
    site.wait_for((7, 14), (8, 14), (9, 14))
    for match in (7, 8, 9):
        site.resources[f"/matches/{match}/lines"] = [line("move", 14)]
    assert run(site, log, "--at-most", "1") == 0
    assert len(site.posted) == 3
    assert received_lines(log) == ["start", "move 14", "eof"] * 3
    log.unlink()
    assert run(site, log, "--at-most", "2") == 0
    assert received_lines(log)[:5] == ["start", "move 14", "start", "move 14", "eof"]


def test_a_copy_of_the_file_runs_without_this_project(
    site: Site, log: Path, tmp_path: Path
) -> None:
    site.wait_for((7, 14))
    site.resources["/matches/7/lines"] = [line("move", 14)]
    shutil.copy(connect.__file__, tmp_path / "copied.py")
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.format(log=str(log), extra="pass"))
    secret = tmp_path / "token"
    secret.write_text(TOKEN + "\n")
    options = ["--once", "--token-file", str(secret), "--", sys.executable, str(program)]
    environment = {name: value for name, value in os.environ.items() if "PYTHON" not in name}
    done = subprocess.run(
        [sys.executable, "-I", str(tmp_path / "copied.py"), site.url, *options],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=environment | {"ESTAFETTE_TOKEN": ""},
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert len(site.posted) == 1


def test_it_has_less_than_250_lines_and_imports_nothing_of_ours() -> None:
    text = Path(connect.__file__).read_text()
    assert len(text.splitlines()) < 250
    names = set(re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE))
    assert len(names) > 9 and names <= sys.stdlib_module_names


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["http://localhost"], "the program is missing: end with -- COMMAND"),
        (["localhost", "--", "cat"], "the URL has to be that of the site"),
        (["http://localhost", "--token-file", "/dev/null", "--", "cat"], "the token is missing"),
    ],
)
def test_wrong_arguments_are_reported(
    arguments: list[str], sentence: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        connect.main(arguments)
    assert ended.value.code == 2
    assert sentence in capfd.readouterr().err


@pytest.mark.parametrize("text", [f"{TOKEN}\n{TOKEN}", f"token {TOKEN}", f"{TOKEN}."])
def test_a_token_file_with_more_than_a_token_is_reported(
    tmp_path: Path, text: str, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "token"
    file.write_text(text)
    with pytest.raises(SystemExit) as ended:
        connect.main(["http://localhost", "--token-file", str(file), "--", "cat"])
    assert ended.value.code == 2
    error = capfd.readouterr().err
    assert "the token has more than letters, digits and _ on one line" in error
    assert TOKEN not in error
