"""Configuration: settings, URLs, Celery, start commands. It alone may import every app."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
