"""config as a Django app: start commands, system checks, roles, and the keys' fingerprints."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate


class Config(AppConfig):
    """Start commands, system checks and roles."""

    name = "config"

    def ready(self) -> None:
        from config import checks  # noqa: F401 -- it registers them.
        from config.roles import set_roles

        post_migrate.connect(set_roles, dispatch_uid="config.roles")
