"""Redis broker: Kombu's Redis transport, without the crash when the connection is lost.

After a lost connection, Kombu's own still acknowledges and returns messages over it, which crashes
the worker. Messages are wake-ups: any may be lost or arrive twice, and the next tick covers it.
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
