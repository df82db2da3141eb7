"""Schedule: when a notification may be sent, in the reader's time zone. Pure functions.

An hour that is skipped in spring counts as the next one; of the hour that comes twice in autumn,
the first counts. So every day has each hour once.
"""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from games.notifications.policy.kinds import UNSCHEDULED, WAITING, NotificationKind
from games.notifications.policy.preferences import Frequency, Preferences

CALM = timedelta(minutes=15)  # a turn that is played within this time causes no e-mail


def email_due(
    wanted: Preferences,
    zone: ZoneInfo,
    kind: NotificationKind,
    posted_at: datetime,
    now: datetime,
    deadline: datetime | None = None,
) -> datetime:
    """The instant from which an e-mail may be sent; at once if not after `now`.

    Kinds in UNSCHEDULED follow no schedule. Quiet hours delay them; a reminder unless these last
    until the deadline.
    """
    if kind in UNSCHEDULED:
        until = quiet_end(wanted, zone, now)
        return now if deadline is not None and until >= deadline else until
    if wanted.is_digest:
        # The reader has chosen the hours of the digest, so they override quiet hours.
        return next_digest(wanted, zone, posted_at)
    pause = CALM if wanted.frequency == Frequency.CALM and kind in WAITING else timedelta()
    return quiet_end(wanted, zone, max(now, posted_at + pause))


def quiet_end(wanted: Preferences, zone: ZoneInfo, instant: datetime) -> datetime:
    """The end of the quiet hours that contain `instant`, else `instant`."""
    start, end = wanted.quiet_from, wanted.quiet_until
    if start is None or end is None or start == end:
        return instant
    local = instant.astimezone(zone)
    past_midnight = start > end
    inside = local.hour >= start or local.hour < end if past_midnight else start <= local.hour < end
    if not inside:
        return instant
    day = local.date() + timedelta(days=1 if past_midnight and local.hour >= start else 0)
    finish = _at(day, end, zone)
    # If the end is in the hour that comes twice, it may have passed already.
    return max(finish, instant)


def next_digest(wanted: Preferences, zone: ZoneInfo, after: datetime) -> datetime:
    """The first of the reader's digest hours after `after`."""
    day = after.astimezone(zone).date()
    slots = (
        _at(day + timedelta(days=days), hour, zone) for days in (0, 1, 2) for hour in wanted.hours
    )
    return min(slot for slot in slots if slot > after)


def _at(day: date, hour: int, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(hour), zone).astimezone(UTC)
