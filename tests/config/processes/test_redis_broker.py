"""A worker whose Redis is killed, with our transport and with Kombu's own."""

import logging

import pytest
from kombu import Connection, Message

from config.processes.redis_broker import Transport
from tests.servers import Redis

pytestmark = pytest.mark.servers

OURS, KOMBUS = "config.processes.redis_broker:Transport", "kombu.transport.redis:Transport"
log = logging.getLogger(__name__)


def bereft(redis: Redis, transport: str) -> Message:
    """A message held on a channel whose server was killed and whose connection is lost.

    Celery gets there if closing the channel failed at first.
    """
    connection = Connection(redis.url, transport=transport)
    queue = connection.SimpleQueue("wake-ups")
    queue.put("wake up")
    message = queue.get(timeout=10)
    redis.kill()
    connection._do_close_transport()
    return message


def test_held_messages_crash_nothing_when_the_server_is_down(redis: Redis) -> None:
    message = bereft(redis, OURS)
    assert isinstance(message.channel.connection, Transport)
    message.channel.close()
    # A worker acknowledges its messages later, perhaps over a new connection.
    message.ack_log_error(log, (OSError,))


def test_kombus_own_transport_still_crashes_a_worker_so_ours_is_needed(redis: Redis) -> None:
    message = bereft(redis, KOMBUS)
    with pytest.raises(AttributeError):
        message.channel.close()
    with pytest.raises(AttributeError):
        message.ack_log_error(log, (OSError,))


def test_held_messages_are_acknowledged_while_the_server_is_up(redis: Redis) -> None:
    with Connection(redis.url, transport=OURS) as connection:
        queue = connection.SimpleQueue("wake-ups")
        queue.put("wake up")
        queue.get(timeout=10).ack()
        assert not redis.client().exists("unacked")
        queue.put("wake up again")
        queue.get(timeout=10).reject_log_error(log, (OSError,), requeue=True)
        assert queue.get(timeout=10).payload == "wake up again"
