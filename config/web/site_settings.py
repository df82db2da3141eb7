"""The settings of the site as pages read them: one query per process and some seconds."""

import time
from typing import NamedTuple

from django.db import DatabaseError

from config.models import SiteSettings

LIFETIME_SECONDS = 15.0  # until a change is seen by the other processes


class _Read(NamedTuple):
    settings: SiteSettings
    until: float  # on the monotonic clock


_last: _Read | None = None


def current() -> SiteSettings:
    """The settings as read within the last seconds.

    If the database fails, those read before: a notice must not turn a page into an error.
    """
    global _last
    if _last is None or time.monotonic() >= _last.until:
        try:
            settings = SiteSettings.objects.first() or SiteSettings()
        except DatabaseError:
            settings = _last.settings if _last else SiteSettings()
        _last = _Read(settings, time.monotonic() + LIFETIME_SECONDS)
    return _last.settings


def forget() -> None:
    """Read the settings again for the next page of this process."""
    global _last
    _last = None


def is_sign_up_open() -> bool:
    """Whether visitors may create accounts at this moment; one query."""
    return not SiteSettings.objects.filter(sign_up_closed=True).exists()
