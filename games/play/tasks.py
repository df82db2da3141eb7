"""Celery tasks: settlement of outages, deadlines, endings that become final. All idempotent."""

from celery import shared_task

from games.play.clocks import settlement
from games.play.commands import deadlines, finality


@shared_task
def settle() -> None:
    """Credit outages to the clocks that ran."""
    settlement.settle()


@shared_task
def sweep() -> None:
    """Send reminders and end matches whose time is up, while moves can be taken."""
    deadlines.sweep()


@shared_task
def make_final() -> None:
    """Publish which matches have become final."""
    finality.sweep()
