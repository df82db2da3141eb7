"""The service's settings with these tests' handlers and a short lease, for real workers."""

from config.settings import *  # noqa: F403

OUTBOX_HANDLERS = "tests.outbox.handlers.HANDLERS"
OUTBOX_SUBSCRIBERS = "tests.outbox.handlers.SUBSCRIBERS"
OUTBOX_LEASE_SECONDS = 2
