"""Configuration: settings, URLs, Celery, start commands. The only package that knows every app."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
