"""The service's settings with the tasks of these tests, for real workers."""

from config.settings import *  # noqa: F403

CELERY_IMPORTS = ["tests.config.tasks"]
