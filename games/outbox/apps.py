"""App config of the outbox."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OutboxConfig(AppConfig):
    name = "games.outbox"
    verbose_name = _("Outbox")
