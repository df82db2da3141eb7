"""config as a Django app, for its start commands and system checks; it has no models."""

from django.apps import AppConfig


class Config(AppConfig):
    """Start commands and system checks."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401 -- it registers them.
