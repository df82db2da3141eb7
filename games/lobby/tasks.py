"""What the timetable calls. It may run twice, at once or late: the rows decide."""

from celery import shared_task

from games.lobby import commands


@shared_task
def sweep() -> None:
    """Warn the owners of stale invitations, and close those that nobody took."""
    commands.sweep()
