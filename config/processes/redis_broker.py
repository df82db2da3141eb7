"""Kombu's Redis transport, made so that a worker lives on when it has lost its broker.

Kombu's own gives back what was fetched and not begun, and acknowledges what was begun, over the
very connection that is gone, and that ends a worker. Messages are wake-ups: any may be lost, or
come twice, and the next tick finds what is to be done.
"""

from typing import Any

from kombu.transport import redis


class Channel(redis.Channel):
    do_restore = False

    def basic_ack(self, delivery_tag: str, multiple: bool = False) -> None:
        if not self.closed:
            super().basic_ack(delivery_tag, multiple)

    def basic_reject(self, delivery_tag: str, requeue: bool = False, **more: Any) -> None:
        if not self.closed:
            super().basic_reject(delivery_tag, requeue=requeue, **more)


class Transport(redis.Transport):
    Channel = Channel
