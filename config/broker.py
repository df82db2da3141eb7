"""The embedded broker: Celery's messages as rows of the service's own database, for one machine.

A message stays a row until it is acknowledged. Whoever takes it has it on a lease that is renewed
while the reader lives, so what a killed worker held comes back; what has an ETA is simply not
visible before; and what is published within a transaction shares the transaction's fate.
"""

import json
import time
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta
from queue import Empty
from typing import Any

import django
from django.apps import apps
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models.functions import Now
from kombu.transport import virtual

# `celery inspect` connects before anybody has set Django up.
if not apps.ready:
    django.setup()

from config.bell import Bell, ring
from config.models import Binding, Message


class QoS(virtual.QoS):
    """What a channel has handed over and nobody has acknowledged yet."""

    def ack(self, delivery_tag: int) -> None:
        Message.objects.filter(pk=delivery_tag).delete()
        was_full = not self.can_consume()
        super().ack(delivery_tag)
        if was_full:
            ring()

    def reject(self, delivery_tag: int, requeue: bool = False) -> None:
        if not requeue:
            Message.objects.filter(pk=delivery_tag).delete()
        super().reject(delivery_tag, requeue=requeue)

    def held(self) -> set[int]:
        return self._delivered.keys() - self._dirty.copy()


class Channel(virtual.Channel):
    QoS = QoS
    supports_fanout = True

    def basic_consume(self, queue: str, no_ack: bool, *args: Any, **kwargs: Any) -> None:
        if no_ack:
            self.connection.final.add(queue)
        super().basic_consume(queue, no_ack, *args, **kwargs)

    def readable(self) -> list[str]:
        """The queues of which this channel would take a message now."""
        return self._active_queues if self._consumers and self.qos.can_consume() else []

    def _get(self, queue: str, timeout: float | None = None) -> dict[str, Any]:
        return self.connection.take([queue])[0]

    def _put(self, queue: str, message: dict[str, Any], **_: Any) -> None:
        self._put_all([queue], message)

    def _put_fanout(self, exchange: str, message: dict[str, Any], *_: Any, **__: Any) -> None:
        bound = Binding.objects.filter(exchange=exchange)
        self._put_all(bound.values_list("queue", flat=True), message)

    def _put_all(self, queues: Iterable[str], message: dict[str, Any]) -> None:
        eta = message["headers"].get("eta")
        visible_at = datetime.fromisoformat(eta) if eta else Now()
        payload = json.dumps(message)
        Message.objects.bulk_create(
            [Message(queue=queue, visible_at=visible_at, payload=payload) for queue in queues]
        )
        transaction.on_commit(ring, robust=True)

    def _restore(self, message: Any) -> None:
        # Where the database is away, the end of the lease does the same.
        with suppress(DatabaseError, InterfaceError):
            Message.objects.filter(pk=message.delivery_tag).update(visible_at=Now())
            ring()

    def _size(self, queue: str) -> int:
        return Message.objects.filter(queue=queue).count()

    def _purge(self, queue: str) -> int:
        return Message.objects.filter(queue=queue).delete()[0]

    def _delete(self, queue: str, *_: Any, **__: Any) -> None:
        Binding.objects.filter(queue=queue).delete()
        self._purge(queue)

    def _queue_bind(self, exchange: str, routing_key: str, _: Any, queue: str) -> None:
        binding = Binding(exchange=exchange, routing_key=routing_key or "", queue=queue)
        Binding.objects.bulk_create([binding], ignore_conflicts=True)

    def get_table(self, exchange: str) -> list[Any]:
        prepare = self.typeof(exchange).prepare_bind
        bound = Binding.objects.filter(exchange=exchange).values_list("queue", "routing_key")
        return [prepare(queue, exchange, key, None) for queue, key in bound]


class Transport(virtual.Transport):
    Channel = Channel
    driver_type = driver_name = "database"
    connection_errors = (DatabaseError, InterfaceError)
    implements = virtual.Transport.implements.extend(
        exchange_type=frozenset(["direct", "topic", "fanout"])
    )
    # The bell wakes a reader at once; this is for what becomes due, or comes from elsewhere.
    polling_interval = 2.0  # seconds

    def __init__(self, client: Any, **kwargs: Any) -> None:
        super().__init__(client, **kwargs)
        options = client.transport_options
        self.lease = timedelta(seconds=options.get("visibility_timeout", 60))
        self.final: set[str] = set()  # queues whose readers acknowledge nothing
        self._renewed = time.monotonic()
        self._bell: Bell | None = None

    def driver_version(self) -> str:
        return django.get_version()

    def establish_connection(self) -> Any:
        if not connection.in_atomic_block:
            connection.close_if_unusable_or_obsolete()
        connection.ensure_connection()
        return super().establish_connection()

    def close_connection(self, connection: Any) -> None:
        super().close_connection(connection)
        if self._bell:
            self._bell.close()
            self._bell = None

    def take(self, queues: list[str]) -> tuple[dict[str, Any], str]:
        """The next message of these queues, with the queue's name; raises Empty."""
        row = Message.objects.take(queues, self.lease, self.final) if queues else None
        if row is None:
            raise Empty
        message = json.loads(row.payload)
        message["properties"]["delivery_tag"] = row.pk
        return message, row.queue

    def drain_events(self, connection: Any, timeout: float | None = None) -> None:
        """Deliver one message; TimeoutError when none has come for `timeout` seconds."""
        self._bell = self._bell or Bell()
        started = time.monotonic()
        while True:
            self._renew()
            with suppress(Empty):
                message = self.take([name for each in self.channels for name in each.readable()])
                return self._deliver(*message)
            patience = self.polling_interval
            if timeout is not None:
                patience = min(patience, started + timeout - time.monotonic())
            if patience <= 0:
                raise TimeoutError
            self._bell.wait(patience)

    def _renew(self) -> None:
        if time.monotonic() - self._renewed > self.lease.total_seconds() / 3:
            held = [tag for channel in self.channels for tag in channel.qos.held()]
            Message.objects.filter(pk__in=held).update(visible_at=Now() + self.lease)
            self._renewed = time.monotonic()
