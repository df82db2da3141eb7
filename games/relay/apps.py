"""The outbox as a Django app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class RelayConfig(AppConfig):
    name = "games.relay"
    verbose_name = _("Outbox")
