"""What a worker does when its Redis is killed under it, by our transport and by Kombu's own."""

import logging

import pytest
from kombu import Connection, Message

from config.processes.redis_broker import Transport
from tests.servers import Redis

pytestmark = pytest.mark.servers

OURS, KOMBUS = "config.processes.redis_broker:Transport", "kombu.transport.redis:Transport"
log = logging.getLogger(__name__)


def bereft(redis: Redis, transport: str) -> Message:
    """A message that is held on a channel whose server was killed, and whose connection let go.

    Celery comes there where closing the channel at first broke off.
    """
    connection = Connection(redis.url, transport=transport)
    queue = connection.SimpleQueue("wake-ups")
    queue.put("wake up")
    message = queue.get(timeout=10)
    redis.kill()
    connection._do_close_transport()
    return message


def test_what_is_held_when_the_server_is_gone_ends_nothing(redis: Redis) -> None:
    message = bereft(redis, OURS)
    assert isinstance(message.channel.connection, Transport)
    message.channel.close()
    # What a worker had begun it acknowledges when it comes to it, perhaps connected anew.
    message.ack_log_error(log, (OSError,))


def test_kombus_own_still_ends_a_worker_so_that_ours_is_needed(redis: Redis) -> None:
    message = bereft(redis, KOMBUS)
    with pytest.raises(AttributeError):
        message.channel.close()
    with pytest.raises(AttributeError):
        message.ack_log_error(log, (OSError,))


def test_what_is_held_is_acknowledged_while_the_server_is_there(redis: Redis) -> None:
    with Connection(redis.url, transport=OURS) as connection:
        queue = connection.SimpleQueue("wake-ups")
        queue.put("wake up")
        queue.get(timeout=10).ack()
        assert not redis.client().exists("unacked")
        queue.put("wake up again")
        queue.get(timeout=10).reject_log_error(log, (OSError,), requeue=True)
        assert queue.get(timeout=10).payload == "wake up again"
