"""Broker for one machine: a Kombu transport that keeps wake-ups as files in VAR_DIR/broker.

Named pipes tell the workers of a new file at once (wake_up_pipes).
Kombu's own `filesystem` transport crashes the worker on a half-written file (kombu issue 1551).
This one writes by rename and discards unreadable files, since any wake-up may be lost.
"""

import logging
import math
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import Empty
from typing import Any
from uuid import uuid4

from kombu.exceptions import ChannelError
from kombu.transport import filesystem
from kombu.utils.json import dumps, loads

from config.processes.wake_up_pipes import WakeUpPipe, wake_all

log = logging.getLogger(__name__)

# Keep the newest 100; the next tick covers the rest. Also bounds the mailboxes of dead processes.
MAX_MESSAGES = 100
# Removed at once when idle: 100,000 would take some minutes on a busy disk.
MAX_MESSAGES_REMOVED = 500
# Of one exchange; killed workers leave theirs behind.
MAX_BINDINGS = 100

Binding = tuple[str, str, str]  # routing key, pattern, queue


def write_whole(path: Path, content: str) -> None:
    """Write a file atomically: readers see all of it or nothing."""
    draft = path.with_name(f"{path.name}.draft")
    try:
        draft.write_text(content)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise


def pipes_of(options: dict[str, Any]) -> Path:
    """The folder of the pipes, next to that of the messages."""
    return Path(options["data_folder_in"]).with_name("pipes")


class Channel(filesystem.Channel):
    # What a stopped worker had not begun is in the database; the next worker finds it.
    do_restore = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.messages = Path(self.data_folder_in)
        self.pipes = pipes_of(self.transport_options)
        for folder in (self.messages, self.control_folder):
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    def _put(self, queue: str, payload: dict[str, Any], **_: Any) -> None:
        # The time comes first and always has 19 digits, so that names sort by age.
        name = f"{time.time_ns()}_{uuid4().hex}.{queue}.msg"
        write_whole(self.messages / name, dumps(payload))
        wake_all(self.pipes)

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        super().basic_ack(delivery_tag, multiple)
        self._look_again()

    def basic_reject(self, delivery_tag: str, requeue: bool = False) -> None:
        super().basic_reject(delivery_tag, requeue)
        self._look_again()

    def _look_again(self) -> None:
        # While all its threads were busy, the worker took no message.
        if self.connection is not None:
            self.connection.pipe.wake()

    def _get(self, queue: str) -> dict[str, Any]:
        names = sorted(os.listdir(self.messages))  # noqa: PTH208 -- it runs several times a second
        kept, others = names[-MAX_MESSAGES:], names[:-MAX_MESSAGES]
        # The newest first, so that it does not wait behind a backlog.
        for name in reversed(kept):
            if not name.endswith(f".{queue}.msg"):
                continue
            path = self.messages / name
            try:
                content = path.read_bytes()
                path.unlink()
            except OSError:
                # Another worker was quicker: the one that removes the file has the message.
                continue
            try:
                payload: dict[str, Any] = loads(content)
                self.Message(payload, channel=self)
            except Exception as error:
                # No file may crash the worker.
                log.warning("Discarded an unreadable wake-up (%s).", type(error).__name__)
                continue
            return payload
        for name in others[:MAX_MESSAGES_REMOVED]:
            with suppress(OSError):
                (self.messages / name).unlink()
        raise Empty

    def get_table(self, exchange: str) -> list[filesystem.exchange_queue_t]:
        """The bindings of this process, and those that others have stored."""
        declared = self.state.exchanges.get(exchange, {}).get("table", [])
        own = [self._binding(*each) for each in declared]
        both = dict.fromkeys([*own, *self._stored(exchange)])
        return [filesystem.exchange_queue_t(*each) for each in both]

    @staticmethod
    def _binding(routing_key: str | None, pattern: str | None, queue: str) -> Binding:
        return (routing_key or "", pattern or "", queue)

    def _queue_bind(self, exchange: str, *bound: Any) -> None:
        new = self._binding(*bound)
        self._rewrite(exchange, lambda stored: [*(each for each in stored if each != new), new])

    def _delete(self, queue: str, exchange: str, *bound: Any, **_: Any) -> None:
        self._purge(queue)
        gone = self._binding(*bound)
        self._rewrite(exchange, lambda stored: [each for each in stored if each != gone])

    def _stored(self, exchange: str) -> list[Binding]:
        # The next process that binds a queue rewrites an unreadable file.
        with suppress(ValueError, TypeError, ChannelError):
            return [self._binding(*each) for each in super().get_table(exchange)]
        return []

    def _rewrite(self, exchange: str, change: Callable[[list[Binding]], list[Binding]]) -> None:
        try:
            with (self.control_folder / "lock").open("w") as file:
                filesystem.lock(file, filesystem.LOCK_EX)
                stored = self._stored(exchange)
                changed = change(stored)[-MAX_BINDINGS:]
                if changed != stored:
                    write_whole(self._exchange_file(exchange), dumps(changed))
        except OSError as error:
            # Wake-ups need only this process's own bindings.
            log.warning("Queue bindings could not be stored (%s).", type(error).__name__)


class Transport(filesystem.Transport):
    Channel = Channel
    # If the folder cannot be used, a worker retries as with a lost connection.
    connection_errors = (*filesystem.Transport.connection_errors, OSError)

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        self.pipe = WakeUpPipe(pipes_of(client.transport_options))

    def drain_events(self, connection: Any, timeout: float | None = None) -> None:
        """Deliver one message, waiting up to `timeout` seconds; raises TimeoutError."""
        until = time.monotonic() + (math.inf if timeout is None else timeout)
        while True:
            try:
                self.cycle.get(self._deliver, timeout=timeout)
                return
            except Empty:
                left = until - time.monotonic()
                if left <= 0:
                    raise TimeoutError from None
                self.pipe.wait(left)

    def close_connection(self, connection: Any) -> None:
        super().close_connection(connection)
        self.pipe.close()
