"""Notification preferences of a user, stored in a JSON column of the user's row.

So they cost no extra query. Missing and invalid values count as the default.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import asdict, dataclass, replace
from functools import lru_cache
from typing import Any

from django.db import transaction
from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.notifications.policy.kinds import ALWAYS_BY_EMAIL, Channel, Detail, NotificationKind
from games.outbox import publishing


class BoardStyle(TextChoices):
    """How an e-mail shows a board."""

    DRAWN = "drawn", _("Text diagram (monospaced)")
    LIST = "list", _("List of sentences, for phones, screen readers and braille")


class Frequency(TextChoices):
    NOW = "now", _("Immediately")
    CALM = "calm", _("Once until I come back")
    DAILY = "daily", _("Once a day")
    TWICE = "twice", _("Twice a day")


@dataclass(frozen=True)
class Preferences:
    frequency: str = Frequency.CALM
    first_hour: int = 8  # of a digest, in the reader's time zone
    second_hour: int = 18
    quiet_from: int | None = None  # the hour at which quiet hours begin
    quiet_until: int | None = None
    email_detail: str = Detail.BOARD
    push_detail: str = Detail.TURN
    by_mail: bool = False  # plays by e-mail, so e-mails never wait for a visit to the site
    board_style: str = BoardStyle.DRAWN
    receipts: bool = True  # whether moves played by e-mail are confirmed
    ask_on_site: bool = False  # whether commands by e-mail wait for a confirmation on the site
    unwanted: tuple[str, ...] = ()  # channel and kind, such as "push turn"
    # The channels other than e-mail that the user has set up; without any, no table is queried.
    ways: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.by_mail and self.frequency == Frequency.CALM:
            object.__setattr__(self, "frequency", Frequency.NOW)

    def wants(self, channel: Channel, kind: NotificationKind) -> bool:
        return f"{channel} {kind}" not in self.unwanted

    @property
    def is_digest(self) -> bool:
        return self.frequency in (Frequency.DAILY, Frequency.TWICE)

    @property
    def hours(self) -> tuple[int, ...]:
        """The hours of the day at which digests are sent, in the reader's time zone."""
        return (
            (self.first_hour,)
            if self.frequency == Frequency.DAILY
            else (self.first_hour, self.second_hour)
        )


DEFAULT = Preferences()
_CHOICES: dict[str, Collection[Any]] = {
    "frequency": Frequency.values,
    "email_detail": Detail.values,
    "push_detail": (Detail.TURN, Detail.MOVE),
    "board_style": BoardStyle.values,
}
_cached = lru_cache(maxsize=1000)(Preferences)  # read several times for each notification
_SWITCHES = ("by_mail", "receipts", "ask_on_site")
_HOURS = ("first_hour", "second_hour", "quiet_from", "quiet_until")


def read(user: User) -> Preferences:
    """The preferences of this user, from the loaded row: no query."""
    stored = (
        user.notification_preferences if isinstance(user.notification_preferences, dict) else {}
    )
    valid: dict[str, Any] = {}
    for name, value in stored.items():
        if name in ("unwanted", "ways"):
            if isinstance(value, list):
                valid[name] = tuple(str(item) for item in value)
        elif name in _CHOICES:
            if value in _CHOICES[name]:
                valid[name] = value
        elif name in _SWITCHES:
            valid[name] = value is True
        elif name in _HOURS and type(value) is int and 0 <= value < 24:
            valid[name] = value
    return _cached(**valid)


@transaction.atomic
def change(user: User, **changed: Any) -> Preferences:
    """Store changed preferences, given by name, and reschedule the user's rows in the outbox."""
    row = User.objects.select_for_update().get(pk=user.pk)
    changed_preferences = replace(read(row), **changed)
    user.notification_preferences = row.notification_preferences = {
        name: list(value) if isinstance(value, tuple) else value
        for name, value in asdict(changed_preferences).items()
        if value != getattr(DEFAULT, name)
    }
    row.save(update_fields=["notification_preferences"])
    publishing.reschedule(user)
    return changed_preferences


def set_channel(user: User, channel: Channel, is_set_up: bool) -> None:
    """Store whether the user has any working address of this channel."""
    others = {way for way in read(User.objects.get(pk=user.pk)).ways if way != channel}
    change(user, ways=tuple(sorted(others | {str(channel)} if is_set_up else others)))


def wants_email(user: User, kind: NotificationKind) -> bool:
    """Whether the user wants e-mails of this kind, by the boxes and by the unsubscribe links."""
    if kind in ALWAYS_BY_EMAIL:
        return True
    subscribed = user.reminder_emails if kind == NotificationKind.REMINDER else user.match_emails
    return subscribed and read(user).wants(Channel.EMAIL, kind)
