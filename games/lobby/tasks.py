"""Celery task of the lobby: the expiry sweep. Idempotent."""

from celery import shared_task

from games.lobby.invitations import expiry


@shared_task
def sweep() -> None:
    """Warn owners of invitations about to expire, and close expired ones."""
    expiry.sweep()
