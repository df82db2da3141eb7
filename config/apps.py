"""App config of config: start commands, system checks, roles, and the keys' fingerprints."""

from django.apps import AppConfig
from django.conf import settings
from django.db.models.signals import post_migrate
from django.utils.translation import gettext_lazy


class Config(AppConfig):
    """Start commands, system checks and roles."""

    name = "config"
    verbose_name = gettext_lazy("Site")

    def ready(self) -> None:
        from config import ports
        from config.environment import checks  # noqa: F401 -- they register themselves.
        from config.logs import error_reports
        from config.roles import set_roles

        ports.connect()
        post_migrate.connect(set_roles, dispatch_uid="config.roles")
        if settings.SENTRY_DSN:
            error_reports.start(settings.SENTRY_DSN)
