"""The wiring; the only place that knows every room."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
