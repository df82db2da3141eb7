"""Settings for real workers: the handlers of these tests, and a short lease."""

from config.settings import *  # noqa: F403

OUTBOX_HANDLERS = "tests.outbox.handlers.HANDLERS"
OUTBOX_SUBSCRIBERS = "tests.outbox.handlers.SUBSCRIBERS"
OUTBOX_LEASE_SECONDS = 2
