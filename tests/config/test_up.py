"""`manage.py up`, as a newcomer runs it."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.management import CommandError

from config.listening import listen, near
from config.up_options import MAIL_PORT_ABOVE, MAX_PORT
from tests.preloaded import ROOT
from tests.servers import free_port, wait_for

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(not Path("/proc/self").exists(), reason="It counts processes in /proc."),
]


class Up:
    """A running `manage.py up --demo` with a folder of its own."""

    def __init__(self, var: Path) -> None:
        self.port = free_port()
        self.environment = {"PATH": os.environ["PATH"], "VAR_DIR": str(var)}
        self.log = var / f"{self.port}.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [sys.executable, "manage.py", "up", "--demo", "--port", str(self.port)],
                cwd=ROOT,
                env=self.environment,
                stdout=log,
                stderr=log,
            )

    def said(self, words: str) -> bool:
        assert self.process.poll() is None, self.log.read_text()
        return re.search(words, self.log.read_text()) is not None

    def children(self) -> list[int]:
        pid = self.process.pid
        return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

    @property
    def services(self) -> int:
        """Web server and worker, and the listener for mail where there is a port for it."""
        return 2 + (self.port + MAIL_PORT_ABOVE <= MAX_PORT)

    def answers(self) -> bool:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/", timeout=30) as page:
            return bool(page.status == 200)


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    up = Up(tmp_path_factory.mktemp("up"))
    try:
        wait_for(lambda: up.said("the password is"), "It should come up.", 120)
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
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(FileNotFoundError, ProcessLookupError):
            if (folder / "stat").read_text().rpartition(")")[2].split()[2] == str(leader):
                found.append(int(folder.name))
    return found


def test_it_says_where_it_is_and_how_to_log_in(up: Up) -> None:
    assert up.said(rf"Estafette answers at http://localhost:{up.port}/ and stops with Ctrl-C\.")
    assert up.said(r"Log in as anna, .* the password is [a-z-]+\.")
    assert up.answers()


def test_it_sends_emails_and_keeps_them_as_files(up: Up) -> None:
    wait_for(lambda: list(up.log.parent.glob("mail/*.eml")), "Demo e-mails should be written.", 60)


def test_a_taken_port_is_told_in_a_sentence(up: Up) -> None:
    second = subprocess.run(
        [sys.executable, "manage.py", "up", "--port", str(up.port)],
        cwd=ROOT,
        env=up.environment,
        capture_output=True,
        text=True,
    )
    assert second.returncode == 1
    assert f"Port {up.port} of 127.0.0.1 is not to be had" in second.stderr
    assert f"--port {up.port + 1}" in second.stderr
    assert "Traceback" not in second.stderr


@pytest.mark.parametrize("port", ["0", "65536", "99999"])
def test_a_port_that_does_not_exist_is_told_in_a_sentence(port: str) -> None:
    with pytest.raises(CommandError, match="ports have the numbers 1 to 65535"):
        listen("127.0.0.1", int(port))


def test_whoever_dies_is_started_again(up: Up) -> None:
    wait_for(lambda: len(up.children()) == up.services, "Web and worker should run.")
    for pid in up.children():
        os.killpg(pid, signal.SIGKILL)
    wait_for(lambda: up.said("The web server was killed by signal 9"), "It should tell of it.")
    wait_for(lambda: up.said("The worker was killed by signal 9"), "It should tell of it.")
    wait_for(lambda: len(up.children()) == up.services, "Both should run again.")
    assert up.answers()


def test_ctrl_c_stops_it_and_leaves_nobody_behind(up: Up) -> None:
    def processes() -> set[int]:
        return {pid for leader in up.children() for pid in group(leader)}

    # They may have been started anew a moment ago.
    wait_for(lambda: len(processes()) >= 2, "Web and worker should run.")
    family = processes()
    up.process.send_signal(signal.SIGINT)
    assert up.process.wait(30) == 0
    assert up.log.read_text().rstrip().endswith("Stopped.")
    assert all(gone(pid) for pid in family)


def test_a_killed_parent_takes_its_children_along(up: Up) -> None:
    other = Up(up.log.parent)
    wait_for(lambda: other.said("the password is"), "It should come up.", 120)
    wait_for(lambda: len(other.children()) == other.services, "Web and worker should run.")
    family = {pid for leader in other.children() for pid in group(leader)}
    other.process.kill()
    other.process.wait()
    wait_for(lambda: all(gone(pid) for pid in family), "Nobody should be left.")


@pytest.mark.parametrize(
    ("host", "reached"),
    [("127.0.0.1", "127.0.0.1"), ("0.0.0.0", "127.0.0.1"), ("::", "[::1]"), ("::1", "[::1]")],
)
def test_its_workers_reach_it_wherever_it_listens(host: str, reached: str) -> None:
    assert near(host) == reached
