from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class ArchiveConfig(AppConfig):
    name = "games.archive"
    verbose_name = _("Archive")

    def ready(self) -> None:
        from accounts.signals import leaving

        leaving.connect(_on_leaving, dispatch_uid="games.archive")


def _on_leaving(user: Any, **_: Any) -> None:
    from games.archive.models import ImportedRecord

    ImportedRecord.objects.filter(owner=user).delete()
