"""App config of house opponents: answers signals of games.play and games.lobby."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class HouseConfig(AppConfig):
    name = "games.house"
    verbose_name = _("Computer opponents")

    def ready(self) -> None:
        from games.lobby import signals as lobby
        from games.play.clocks.signals import unread_wanted

        unread_wanted.connect(_on_unread_wanted, dispatch_uid="games.house")
        lobby.levels_wanted.connect(_on_levels_wanted, dispatch_uid="games.house")
        lobby.guest_wanted.connect(_on_guest_wanted, dispatch_uid="games.house")
        lobby.guest_challenged.connect(_on_guest_challenged, dispatch_uid="games.house")


def _on_unread_wanted(user_ids: Collection[int], **_: Any) -> dict[int, datetime]:
    from games.house import house_accounts

    return house_accounts.never_late(user_ids)


def _on_levels_wanted(**_: Any) -> list[tuple[str, str]]:
    from games.house.forms import LEVEL_CARDS

    return [(level, str(card)) for level, card in LEVEL_CARDS]


def _on_guest_wanted(level: str, **_: Any) -> Any:
    from games.house import house_accounts

    return house_accounts.opponent(level) if level in house_accounts.LEVELS else None


def _on_guest_challenged(invitation: Any, **_: Any) -> None:
    from games.house.playing import offers

    offers.take_up(invitation)
