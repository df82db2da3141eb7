"""The service's settings with the tasks of these tests and a short lease, for real workers."""

from config.settings import *  # noqa: F403

CELERY_IMPORTS = ["tests.config.tasks"]
CELERY_BROKER_TRANSPORT_OPTIONS = {"visibility_timeout": 3}
