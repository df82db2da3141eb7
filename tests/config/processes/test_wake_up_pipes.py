"""Wake-ups by named pipes: none is missed, and no file in the folder causes an error.

The slow poll is set to minutes here, so whatever returns in time was woken.
"""

import multiprocessing
import os
import signal
import stat
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from kombu import Connection, Consumer, Message, Producer, Queue

from config.processes import file_broker, wake_up_pipes
from config.processes.wake_up_pipes import WakeUpPipe, wake_all
from tests.servers import wait_for

FAR = 600.0  # seconds, more than a test may take
SOON = 60.0


@pytest.fixture(autouse=True)
def no_slow_poll(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wake_up_pipes, "SLOW_POLL_SECONDS", FAR)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "broker" / "pipes"


@pytest.fixture
def pipe(folder: Path) -> Iterator[WakeUpPipe]:
    made = WakeUpPipe(folder)
    made.wait(0)
    yield made
    made.close()


def returns(job: Callable[[], object], then: Callable[[], object]) -> bool:
    """Whether a job that waits returns once something else is done."""
    thread = threading.Thread(target=job, daemon=True)
    thread.start()
    then()
    thread.join(SOON)
    return not thread.is_alive()


def test_a_process_that_waits_is_woken(folder: Path, pipe: WakeUpPipe) -> None:
    assert returns(lambda: pipe.wait(FAR), lambda: wake_all(folder))


def test_a_wake_up_before_the_wait_is_not_lost(folder: Path, pipe: WakeUpPipe) -> None:
    wake_all(folder)
    assert returns(lambda: pipe.wait(FAR), lambda: None)


def test_many_wake_ups_count_as_one(folder: Path, pipe: WakeUpPipe) -> None:
    # More than a pipe holds: no writer waits for a stuck reader.
    for _ in range(70_000):
        pipe.wake()
    wake_all(folder)
    pipe.wait(FAR)
    waiting = threading.Thread(target=lambda: pipe.wait(FAR), daemon=True)
    waiting.start()
    waiting.join(0.2)
    assert waiting.is_alive()
    pipe.wake()
    waiting.join(SOON)
    assert not waiting.is_alive()


def test_only_this_user_may_read_or_write_a_pipe(folder: Path, pipe: WakeUpPipe) -> None:
    (path,) = folder.iterdir()
    assert stat.S_ISFIFO(path.stat().st_mode)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_closed_pipe_is_removed(folder: Path, pipe: WakeUpPipe) -> None:
    pipe.close()
    assert not list(folder.iterdir())
    pipe.wake()


def _wait_for_ever(folder: Path) -> None:
    WakeUpPipe(folder).wait(FAR)


def test_the_pipe_of_a_killed_process_is_removed(folder: Path, pipe: WakeUpPipe) -> None:
    other = multiprocessing.get_context("spawn").Process(target=_wait_for_ever, args=[folder])
    other.start()
    wait_for(lambda: len(list(folder.iterdir())) == 2, "It should open its pipe.")
    assert other.pid
    os.kill(other.pid, signal.SIGKILL)
    other.join()
    assert len(list(folder.iterdir())) == 2
    assert returns(lambda: pipe.wait(FAR), lambda: wake_all(folder))
    assert len(list(folder.iterdir())) == 1


def test_other_files_in_the_folder_cause_no_error(folder: Path, pipe: WakeUpPipe) -> None:
    (folder / "0 folder").mkdir()
    (folder / "0 nothing").symlink_to(folder / "nowhere")
    assert returns(lambda: pipe.wait(FAR), lambda: wake_all(folder))


def test_a_deleted_pipe_is_created_again(folder: Path, pipe: WakeUpPipe) -> None:
    folder.rename(folder.with_name("lost"))
    wake_all(folder)
    pipe.wait(0)
    assert returns(lambda: pipe.wait(FAR), lambda: wake_all(folder))


def test_without_named_pipes_the_folder_is_polled(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delattr(os, "mkfifo")
    pipe = WakeUpPipe(folder)
    assert returns(lambda: pipe.wait(FAR), lambda: None)
    pipe.wake()
    pipe.close()


# --- the broker


@pytest.fixture
def broker(tmp_path: Path) -> Callable[[], Connection]:
    options = {
        "data_folder_in": str(tmp_path / "broker" / "messages"),
        "data_folder_out": str(tmp_path / "broker" / "messages"),
        "control_folder": str(tmp_path / "broker" / "control"),
    }
    return lambda: Connection("filesystem://", transport_options=options)


def test_the_broker_wakes_processes_that_wait_for_a_message(
    broker: Callable[[], Connection], folder: Path
) -> None:
    queue = Queue("celery", routing_key="celery")
    received: list[object] = []

    def take(body: object, message: Message) -> None:
        received.append(body)
        message.ack()

    with broker() as reader, broker() as writer:
        with Consumer(reader, [queue], callbacks=[take]):
            # The first wait opens the pipe.
            with pytest.raises(TimeoutError):
                reader.drain_events(timeout=0.01)
            assert len(list(folder.iterdir())) == 1
            send = Producer(writer).publish
            assert returns(
                lambda: reader.drain_events(timeout=FAR), lambda: send("now", routing_key="celery")
            )
        assert received == ["now"]
    assert not list(folder.iterdir())


def test_a_worker_checks_again_when_a_task_has_ended(
    broker: Callable[[], Connection], folder: Path
) -> None:
    queue = Queue("celery", routing_key="celery")
    received: list[Message] = []
    with broker() as reader, broker() as writer:
        for number in range(2):
            Producer(writer).publish(number, routing_key="celery", declare=[queue])
        with Consumer(
            reader,
            [queue],
            prefetch_count=1,
            callbacks=[lambda _, message: received.append(message)],
        ):
            reader.drain_events(timeout=SOON)
            # It has a task, so that it takes no other until that one is acknowledged.
            with pytest.raises(TimeoutError):
                reader.drain_events(timeout=0.01)
            assert len(received) == 1
            assert returns(lambda: reader.drain_events(timeout=FAR), received[0].ack)
            assert len(received) == 2


def test_the_pipes_are_next_to_the_messages(tmp_path: Path) -> None:
    options = {"data_folder_in": str(tmp_path / "messages")}
    assert file_broker.pipes_of(options) == tmp_path / "pipes"
