"""The file broker, under real workers.

No beat runs, and the workers' own fallback runs other tasks than those published here: so a note
that exists was woken by its message.
"""

import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from config.processes.file_broker import MAX_MESSAGES
from tests import preloaded
from tests.databases import copy_sqlite
from tests.servers import missing, wait_for
from tests.stack import CELERY, Stack

pytestmark = pytest.mark.servers

SETTINGS = {"DJANGO_SETTINGS_MODULE": "tests.config.settings"}
UNREADABLE = {
    "empty": b"",
    "half": b'{"body": "W1tdLCB7fSwg',
    "no message": b"null",
    "no properties": b"{}",
    "no text": b"\xff\xfe\x00",
    "no body": b'{"body": 1, "properties": {"delivery_tag": "1", "body_encoding": "base64"}}',
    "no task": b'{"body": "e30=", "headers": {}, "content-type": "application/json",'
    b' "content-encoding": "utf-8", "properties": {"delivery_tag": "1", "body_encoding": "base64",'
    b' "delivery_info": {"exchange": "", "routing_key": "celery"}}}',
}


@pytest.fixture(scope="module")
def workers() -> Iterator[Stack]:
    with Stack(web=0, beat=0, workers=2, extra=SETTINGS) as stack:
        yield stack


def publish(stack: Stack, notes: Path, *words: object) -> None:
    code = f"for word in {words!r}: note.delay({str(notes)!r}, word)"
    stack.shell(f"from tests.config.tasks import note\n{code}")


def finished_tasks(notes: Path) -> list[str]:
    return [line.split()[0] for line in notes.read_text().splitlines()] if notes.exists() else []


def is_woken(stack: Stack, notes: Path) -> None:
    publish(stack, notes, "woken")
    wait_for(lambda: "woken" in finished_tasks(notes), "A worker should be woken.")


def messages(stack: Stack) -> list[Path]:
    return list((stack.var / "broker" / "messages").iterdir())


def answering(stack: Stack) -> set[str]:
    """The workers that answer when asked."""
    done = preloaded.run([*CELERY, "inspect", "ping", "-t", "3"], stack.environment)
    return {line.split("@")[0].split()[-1] for line in done.stdout.splitlines() if "@" in line}


def test_two_workers_take_each_message_once(workers: Stack, tmp_path: Path) -> None:
    publish(workers, tmp_path / "notes", *range(60))
    wait_for(lambda: not messages(workers), "Every message should be taken.")
    wait_for(
        lambda: len(finished_tasks(tmp_path / "notes")) >= 60, "Every message should be acted on."
    )
    assert sorted(map(int, finished_tasks(tmp_path / "notes"))) == list(range(60))


def test_no_file_in_the_folder_crashes_a_worker(workers: Stack, tmp_path: Path) -> None:
    folder = workers.var / "broker" / "messages"
    for name, content in UNREADABLE.items():
        (folder / f"0_{name}.celery.msg").write_bytes(content)
    (folder / "0_folder.celery.msg").mkdir()
    is_woken(workers, tmp_path / "notes")
    assert [path.name for path in messages(workers)] == ["0_folder.celery.msg"]
    (folder / "0_folder.celery.msg").rmdir()
    assert answering(workers) == {"worker1", "worker2"}


def test_a_deleted_folder_is_created_again(workers: Stack, tmp_path: Path) -> None:
    # Renamed at once: workers go on writing while a folder is being emptied.
    (workers.var / "broker").rename(workers.var / "lost")
    is_woken(workers, tmp_path / "notes")


def test_killed_workers_are_replaced(workers: Stack, tmp_path: Path) -> None:
    for name in ("worker1", "worker2"):
        workers.kill(name)
    # As if a worker was killed while it wrote the lists of queues.
    for path in (workers.var / "broker" / "control").glob("*.exchange"):
        path.write_text('[["", "", "half')
    publish(workers, tmp_path / "notes", "waiting")
    for name in ("worker1", "worker2"):
        workers.log(name).unlink()
        workers.start(name)
    wait_for(
        lambda: "waiting" in finished_tasks(tmp_path / "notes"), "The message should be acted on."
    )
    for name in ("worker1", "worker2"):
        workers.wait_until_up(name)
    assert answering(workers) == {"worker1", "worker2"}


@pytest.mark.soak
def test_a_new_message_does_not_wait_for_many_old_ones(workers: Stack, tmp_path: Path) -> None:
    for name in ("worker1", "worker2"):
        workers.kill(name)
    for left in messages(workers):
        left.unlink()
    publish(workers, tmp_path / "notes", "old")
    (message,) = messages(workers)
    for number in range(2_000):
        message.with_name(f"{number:019}_{message.name[20:]}").write_bytes(message.read_bytes())
    publish(workers, tmp_path / "notes", "woken")
    for name in ("worker1", "worker2"):
        workers.log(name).unlink()
        workers.start(name)
    wait_for(lambda: not messages(workers), "All should be taken or thrown away.")
    assert "woken" in finished_tasks(tmp_path / "notes")[:10]
    assert len(finished_tasks(tmp_path / "notes")) < 1_000
    for name in ("worker1", "worker2"):
        workers.wait_until_up(name)


@pytest.mark.soak
@pytest.mark.parametrize("queue", ["celery", "dead@elsewhere.celery.pidbox"])
def test_the_newest_of_many_messages_are_kept(workers: Stack, tmp_path: Path, queue: str) -> None:
    folder = workers.var / "broker" / "messages"
    for number in range(2_000):
        (folder / f"{number:019}_old.{queue}.msg").write_text("{}")
    is_woken(workers, tmp_path / "notes")
    wait_for(lambda: len(messages(workers)) <= MAX_MESSAGES, "The oldest should go.")
    for path in messages(workers):
        path.unlink(missing_ok=True)


@pytest.mark.soak
def test_a_full_disk_crashes_no_worker(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    stack = Stack(web=0, beat=0, extra=SETTINGS)
    mount = ["mount", "-t", "tmpfs", "-o", "size=32m", "estafette", str(stack.var)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        shutil.rmtree(stack.var)
        missing("No small disk can be mounted here.")
    # The mounted disk hides the folder's content.
    copy_sqlite(stack.var / "estafette.sqlite3")
    filling = stack.var / "filling"
    try:
        with stack:
            # While a worker runs:
            refuses_wake_ups(stack, filling)
            filling.unlink()
            is_woken(stack, notes)
            stack.kill("worker1")
            publish(stack, notes, "waiting")
            # And while one starts, which cannot write an e-mail into its log.
            fill(filling)
            fill(stack.log("worker1"))
            stack.start("worker1")
            wait_for(lambda: "waiting" in finished_tasks(notes), "It should work on a full disk.")
            refuses_wake_ups(stack, filling)
            filling.unlink()
            publish(stack, notes, "again")
            wait_for(lambda: "again" in finished_tasks(notes), "A worker should be woken again.")
    finally:
        subprocess.run(["umount", "--lazy", str(stack.var)], check=True)
        shutil.rmtree(stack.var)


def refuses_wake_ups(stack: Stack, filling: Path) -> None:
    """On a full disk the broker accepts no message, and publishing does not fail.

    The running service closes and shortens its own files, which frees a page now and then, so the
    disk is filled again before each attempt.
    """
    output = stack.shell(f"""
from pathlib import Path
from games.outbox.wake_worker import publish_wake_up
from tests.config.processes.test_broker import fill
def taken():
    fill(Path({str(filling)!r}))
    return publish_wake_up()
print("refused" if not all(taken() for _ in range(100)) else "taken")
""")
    assert "refused" in output


def fill(path: Path) -> None:
    """Fill the disk to the last byte."""
    with path.open("ab", buffering=0) as file:
        for size in (2**20, 2**10, 1):
            try:
                while file.write(bytes(size)) == size:
                    pass
            except OSError:
                continue
