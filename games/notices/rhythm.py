"""When a notice may go out: pure, by the reader's clocks; whoever asks brings the instants.

An hour that the clocks skip is taken as the one after it, and of an hour that comes twice the first
counts. So every day has each of its hours once.
"""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from games.notices.kinds import WAITING, Kind
from games.notices.wishes import Rhythm, Wishes

CALM = timedelta(minutes=15)  # a turn that is played within them needs no letter


def letter_due(
    wishes: Wishes,
    zone: ZoneInfo,
    kind: Kind,
    posted_at: datetime,
    now: datetime,
    deadline: datetime | None = None,
) -> datetime:
    """The instant from which a letter may leave; the present or the past means now.

    Reminders keep no rhythm. They are held back in quiet hours, unless those last to the deadline.
    """
    if kind == Kind.REMINDER:
        until = quiet_end(wishes, zone, now)
        return now if deadline is not None and until >= deadline else until
    if wishes.is_digest:
        # The player has named the hours, so no others are quiet.
        return next_digest(wishes, zone, posted_at)
    pause = CALM if wishes.rhythm == Rhythm.CALM and kind in WAITING else timedelta()
    return quiet_end(wishes, zone, max(now, posted_at + pause))


def quiet_end(wishes: Wishes, zone: ZoneInfo, instant: datetime) -> datetime:
    """The end of the quiet hours that `instant` falls into, else `instant`."""
    start, end = wishes.quiet_from, wishes.quiet_until
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


def next_digest(wishes: Wishes, zone: ZoneInfo, after: datetime) -> datetime:
    """The first of the player's digest hours later than `after`."""
    day = after.astimezone(zone).date()
    slots = (
        _at(day + timedelta(days=days), hour, zone) for days in (0, 1, 2) for hour in wishes.hours
    )
    return min(slot for slot in slots if slot > after)


def _at(day: date, hour: int, zone: ZoneInfo) -> datetime:
    return datetime.combine(day, time(hour), zone).astimezone(UTC)
