"""`manage.py up`, with its options and signals."""

import contextlib
import os
import re
import signal
import sqlite3
import stat
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from contextlib import closing
from http.client import HTTPConnection
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from config.processes.listening import listen, url_host
from config.processes.up_options import MAIL_PORT_OFFSET, MAX_PORT
from config.processes.web_server import CONNECTIONS_AN_ADDRESS
from tests.preloaded import ROOT
from tests.servers import free_port, wait_for

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not Path("/proc/self").exists(), reason="It counts processes in /proc."),
]


class Up:
    """A running `manage.py up` with a separate folder; the demo, unless options are given."""

    def __init__(self, var: Path, *options: str, **environment: str) -> None:
        self.port = free_port()
        self.environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(var), **environment}
        self.log = var / f"{self.port}.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [
                    *(sys.executable, "manage.py", "up", "--port", str(self.port)),
                    *(options or ["--demo"]),
                ],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )

    def has_logged(self, words: str) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        return re.search(words, self.log.read_text()) is not None

    def children(self) -> list[int]:
        pid = self.process.pid
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    @property
    def services(self) -> int:
        """Web server, two workers, and the mail listener if it has a port."""
        return 3 + (self.port + MAIL_PORT_OFFSET <= MAX_PORT)

    def answers(self) -> bool:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=30) as page:
            return bool(page.status == 200)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    up = Up(tmp_path_factory.mktemp("up"))
    try:
        wait_for(lambda: up.has_logged("the password is"), "It should come up.", 120)
        yield up
    finally:
        up.process.kill()
        up.process.wait()


def gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().split()[2] == "Z"
    except FileNotFoundError:
        return True


def group(leader: int) -> list[int]:
    """The processes of a child's group, itself included."""
    numbers = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if (folder / "stat").read_text().rpartition(")")[2].split()[2] == str(leader):
                numbers.append(int(folder.name))
    return numbers


def test_it_prints_its_address_and_how_to_log_in(up: Up) -> None:
    assert up.has_logged(
        rf"Estafette answers at http://localhost:{up.port}/ and stops with Ctrl-C\."
    )
    assert up.has_logged(r"Log in as anna, .* the password is [a-z-]+\.")
    assert up.answers()


def test_it_sends_emails_and_stores_them_as_files(up: Up) -> None:
    wait_for(lambda: list(up.log.parent.glob("mail/*.eml")), "Demo e-mails should be written.", 60)


def test_a_port_that_is_in_use_is_reported_in_a_sentence(up: Up) -> None:
    second = subprocess.run(
        [sys.executable, "manage.py", "up", "--port", str(up.port)],
        cwd=ROOT,
        env=up.environment,
        capture_output=True,
        text=True,
    )
    assert second.returncode == 1
    assert f"Port {up.port} of 127.0.0.1 cannot be used" in second.stderr
    assert f"--port {up.port + 1}" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.parametrize("port", ["0", "65536", "99999"])
def test_a_port_that_does_not_exist_is_reported_in_a_sentence(port: str) -> None:
    with pytest.raises(CommandError, match="ports have the numbers 1 to 65535"):
        listen("127.0.0.1", int(port))


def test_a_process_that_dies_is_restarted(up: Up) -> None:
    wait_for(lambda: len(up.children()) == up.services, "Web and worker should run.")
    for pid in up.children():
        os.killpg(pid, signal.SIGKILL)
    wait_for(
        lambda: up.has_logged("The web server was killed by signal 9"), "It should tell of it."
    )
    wait_for(lambda: up.has_logged("The worker was killed by signal 9"), "It should tell of it.")
    wait_for(lambda: len(up.children()) == up.services, "Both should run again.")
    assert up.answers()


def test_ctrl_c_stops_it_and_leaves_no_process_behind(up: Up) -> None:
    def processes() -> set[int]:
        return {pid for leader in up.children() for pid in group(leader)}

    # They may have been restarted a moment ago.
    wait_for(lambda: len(processes()) >= 2, "Web and worker should run.")
    family = processes()
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(30) == 0
    assert up.log.read_text().rstrip().endswith("Stopped.")
    assert all(gone(pid) for pid in family)


def test_children_stop_when_their_parent_is_killed(up: Up) -> None:
    other = Up(up.log.parent)
    wait_for(lambda: other.has_logged("the password is"), "It should come up.", 120)
    wait_for(lambda: len(other.children()) == other.services, "Web and worker should run.")
    family = {pid for leader in other.children() for pid in group(leader)}
    other.process.kill()
    other.process.wait()
    wait_for(lambda: all(gone(pid) for pid in family), "Nobody should be left.")


@pytest.mark.soak
def test_it_grows_to_several_web_servers_and_workers_and_keeps_their_log(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "estafette.log"
    log.parent.mkdir()
    logs = {"LOG_FILE": str(log), "LOG_FORMAT": "json"}
    up = Up(tmp_path, "--processes", "2", "--workers", "2", TRUSTED_PROXY_COUNT="1", **logs)
    try:
        wait_for(lambda: up.has_logged("Estafette answers"), "It should come up.", 120)
        wait_for(lambda: len(up.children()) == 5, "Two web servers and all workers should run.")
        assert answers_at_once(up.port, 2 * CONNECTIONS_AN_ADDRESS + 10)
        for pid in up.children():
            os.killpg(pid, signal.SIGKILL)
        names = ("web server 1", "web server 2", "worker 1", "worker 2", "worker of the house")
        for name in names:
            wait_for(lambda: f"The {name} was killed" in log.read_text(), "It should tell of it.")  # noqa: B023
        wait_for(lambda: len(up.children()) == 5, "All should run again.")
        # As logrotate does it.
        log.rename(tmp_path / "older.log")
        assert up.answers()
        wait_for(lambda: '"route": "/"' in log.read_text(), "They should write a new log.")
        assert stat.filemode(log.stat().st_mode) == "-rw-------"
        assert "Traceback" not in up.log.read_text()
        wait_for(lambda: beats(tmp_path), "Workers should write the heartbeat.")
    finally:
        up.process.terminate()
        assert up.process.wait(30) == 0


def answers_at_once(port: int, count: int) -> bool:
    """Whether this many connections, as a proxy keeps them, are answered while all are open."""
    with contextlib.ExitStack() as stack:
        opened = [
            stack.enter_context(closing(HTTPConnection("127.0.0.1", port, timeout=60)))
            for _ in range(count)
        ]
        for connection in opened:
            connection.connect()
        for connection in opened:
            connection.request("GET", "/health/live")
        return all(connection.getresponse().status == 204 for connection in opened)


def beats(var: Path) -> bool:
    with closing(sqlite3.connect(var / "estafette.sqlite3")) as database:
        return bool(database.execute("SELECT count(*) FROM play_heartbeat").fetchone()[0])


@pytest.mark.parametrize("option", ["--processes", "--workers"])
@pytest.mark.parametrize("number", ["0", "65", "-1"])
def test_an_invalid_number_of_processes_is_reported_in_a_sentence(option: str, number: str) -> None:
    with pytest.raises(CommandError, match=rf"^{option} takes a number from 1 to 64\.$"):
        call_command("up", option, number)


@pytest.mark.parametrize(
    ("host", "reached"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]")],
)
def test_its_workers_reach_it_at_any_address(host: str, reached: str) -> None:
    assert url_host(host) == reached
