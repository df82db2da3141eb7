"""The product's settings, with the floors of the benchmark under the same middleware."""

from config.settings import *  # noqa: F403

INSTALLED_APPS = [*INSTALLED_APPS, "tests.bench.floor"]  # noqa: F405
ROOT_URLCONF = "tests.bench.floor.urls"
CELERY_IMPORTS = ["tests.config.tasks"]  # a task that notes when it runs
