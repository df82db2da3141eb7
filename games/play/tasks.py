"""Celery tasks: outages, deadlines, answers of plans, endings that become final. All idempotent."""

from celery import shared_task

from games.play.clocks import settlement
from games.play.commands import deadlines, finality
from games.play.commands.plans import due


@shared_task
def settle() -> None:
    """Credit outages to the clocks that ran."""
    settlement.settle()


@shared_task
def sweep() -> None:
    """Send reminders and end matches whose time is up, while moves can be taken."""
    deadlines.sweep()


@shared_task
def answer_plans() -> None:
    """Play the answers of plans that are due."""
    due.answer_plans()


@shared_task
def make_final() -> None:
    """Publish which matches have become final."""
    finality.sweep()
