"""What the wiring itself has to do from time to time."""

from celery import shared_task

from config.models import Message


@shared_task
def tidy() -> None:
    """Take down the mailboxes of programs that died, where the embedded broker is in use."""
    Message.objects.forget_dead_mailboxes()
