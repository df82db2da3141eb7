"""App config of house opponents: answers signals of games.play."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HouseConfig(AppConfig):
    name = "games.house"
    verbose_name = _("House opponents")

    def ready(self) -> None:
        from games.play.clocks.signals import unread_wanted

        unread_wanted.connect(_on_unread_wanted, dispatch_uid="games.house")


def _on_unread_wanted(user_ids: Collection[int], **_: Any) -> dict[int, datetime]:
    from games.house import players

    return players.never_late(user_ids)
