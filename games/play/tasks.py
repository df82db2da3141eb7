"""Celery tasks of the clocks: settlement of outages and deadline sweep. Both are idempotent."""

from celery import shared_task

from games.play.clocks import settlement
from games.play.commands import deadlines


@shared_task
def settle() -> None:
    """Credit outages to the clocks that ran."""
    settlement.settle()


@shared_task
def sweep() -> None:
    """Send reminders and end matches whose time is up, while moves can be taken."""
    deadlines.sweep()
