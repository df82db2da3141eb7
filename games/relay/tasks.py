"""What wakes the carrier. Any of these may run twice, at once or never: the rows decide."""

from celery import shared_task

from games.relay import carrier, once


@shared_task
def drain() -> None:
    """Deliver what waits in the outbox."""
    carrier.drain()


@shared_task
def tidy() -> None:
    """Forget what was delivered, and answered, a month ago."""
    carrier.tidy()
    once.tidy()
