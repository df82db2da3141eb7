"""Celery tasks of the clocks: heartbeat and deadline sweep. Both are idempotent."""

from celery import shared_task

from games.play.clocks import outages
from games.play.commands import deadlines, health


@shared_task
def beat() -> None:
    """Store a heartbeat and credit outages, if moves can be stored."""
    if health.is_web_server_ready():
        outages.beat()
        outages.credit_outages()


@shared_task
def sweep() -> None:
    """Send reminders and end matches whose time is up, if moves can be stored."""
    if health.is_web_server_ready():
        deadlines.sweep()
