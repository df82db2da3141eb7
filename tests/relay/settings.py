"""The service's settings with these tests' relay table and a short lease, for real workers."""

from config.settings import *  # noqa: F403

RELAY_TABLE = "tests.relay.handlers.HANDLERS"
RELAY_LEASE = 2
