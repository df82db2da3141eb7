"""config as a Django app: start commands, system checks, and the fingerprints of the keys."""

from django.apps import AppConfig


class Config(AppConfig):
    """Start commands and system checks."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401 -- it registers them.
