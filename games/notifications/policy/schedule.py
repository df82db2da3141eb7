"""Schedule: when a notification may be sent, by the reader's clocks. Pure; callers bring instants.

An hour that the clocks skip is taken as the one after it, and of an hour that comes twice the first
counts. So every day has each of its hours once.
"""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from games.notifications.policy.kinds import WAITING, NotificationKind
from games.notifications.policy.preferences import Frequency, Preferences

CALM = timedelta(minutes=15)  # a turn that is played within them needs no e-mail


def email_due(
    wanted: Preferences,
    zone: ZoneInfo,
    kind: NotificationKind,
    posted_at: datetime,
    now: datetime,
    deadline: datetime | None = None,
) -> datetime:
    """The instant from which an e-mail may leave; the present or the past means now.

    Reminders follow no schedule; quiet hours hold them back, unless those last to the deadline.
    """
    if kind == NotificationKind.REMINDER:
        until = quiet_end(wanted, zone, now)
        return now if deadline is not None and until >= deadline else until
    if wanted.is_digest:
        # The player has named the hours, so no others are quiet.
        return next_digest(wanted, zone, posted_at)
    pause = CALM if wanted.frequency == Frequency.CALM and kind in WAITING else timedelta()
    return quiet_end(wanted, zone, max(now, posted_at + pause))


def quiet_end(wanted: Preferences, zone: ZoneInfo, instant: datetime) -> datetime:
    """The end of the quiet hours that `instant` falls into, else `instant`."""
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
    # The end may lie in an hour that comes twice; then it has passed once.
    return max(finish, instant)


def next_digest(wanted: Preferences, zone: ZoneInfo, after: datetime) -> datetime:
    """The first of the player's digest hours later than `after`."""
    day = after.astimezone(zone).date()
    slots = (
        _at(day + timedelta(days=days), hour, zone) for days in (0, 1, 2) for hour in wanted.hours
    )
    return min(slot for slot in slots if slot > after)


def _at(day: date, hour: int, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(hour), zone).astimezone(UTC)
