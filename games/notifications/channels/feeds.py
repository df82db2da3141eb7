"""Atom feed and iCalendar file of the matches that wait for a user, at secret URLs.

Everybody with the URL may read them, so they contain public facts only: opponent, match, deadline.
The URL is signed and not stored; a new serial number makes it invalid.

Readers and proxies keep copies, so the bytes change only with what they tell: they contain no
relative times, and no time of the request.
"""

from __future__ import annotations

import secrets
from datetime import datetime, timedelta
from typing import NamedTuple

from django.core import signing
from django.urls import reverse
from django.utils import feedgenerator
from django.utils.translation import gettext as _
from icalendar import Alarm, Calendar, Event, Timezone, TimezoneStandard, vDuration, vText

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.notifications.models import Feed
from games.notifications.policy import summaries
from games.play.lists.overview import seat_opponents
from games.play.lists.waiting import count_waiting, waiting_for
from games.play.models.match import Player
from games.play.record import match_view
from lib.db_clock import now

MAX_ENTRIES = 100  # matches in a feed
ALARM = timedelta(hours=24)  # before a deadline
REFRESH = timedelta(hours=1)  # between two requests of a calendar

_SALT = "games.notifications.feeds.feeds"


class Addresses(NamedTuple):
    atom: str
    ical: str


def addresses(user: User) -> Addresses | None:
    """The URLs of this user's feeds, or None if they have no feeds."""
    feed = Feed.objects.filter(user=user).first()
    if feed is None:
        return None
    token = signing.Signer(salt=_SALT).sign_object([user.pk, feed.serial])
    return Addresses(
        *(
            summaries.absolute_url(reverse(f"notifications:{name}", args=[token]))
            for name in ("atom", "ical")
        )
    )


def renew(user: User) -> bool:
    """Turn on the feeds, at new URLs. Returns whether they were off before."""
    values = {"serial": secrets.token_hex(16), "made_at": now()}
    with command_transaction():
        _feed, created = Feed.objects.update_or_create(user=user, defaults=values)
    return created


def close(user: User) -> None:
    """Turn off the feeds; their URLs become invalid."""
    with command_transaction():
        Feed.objects.filter(user=user).delete()


def read(token: str) -> Feed | None:
    """The feeds with this token and their user; None for an invalid or outdated token."""
    try:
        pk, serial = signing.Signer(salt=_SALT).unsign_object(token)
    except (signing.BadSignature, ValueError):
        return None
    feed = Feed.objects.select_related("user").filter(user=pk, serial=serial).first()
    return feed if feed and feed.user.is_active else None


def atom(owned: Feed, address: str) -> str:
    """The matches that wait for the owner as an Atom feed, nearest deadline first; five queries.

    `address` is the URL of the feed.
    """
    reader = owned.user
    at, count = now(), count_waiting(reader)
    title = _("Estafette: waiting for %(player)s") % {"player": reader}
    feed = feedgenerator.Atom1Feed(
        title=f"({count}) {title}" if count else title,
        link=summaries.absolute_url("/"),
        description="",
        feed_url=address,
        feed_guid=f"tag:{summaries.domain()},2026:waiting/{reader.pk}",
        language=reader.email_language,
        author_name="Estafette",
    )
    players, since = _waiting(reader)
    for player in players:
        link = summaries.absolute_url(player.match.get_absolute_url())
        ply = player.match.ply
        feed.add_item(
            title=summaries.turn_title(player.opponent.user, player.match_id),
            link=link,
            description=summaries.due_sentence(player, at),
            unique_id=f"tag:{summaries.domain()},2026:match/{player.match_id}/{ply}",
            updateddate=since[player.match_id],
            pubdate=since[player.match_id],
        )
    if not players:
        feed.latest_post_date = lambda: owned.made_at  # type: ignore[method-assign]
    return feed.writeString("utf-8")


def ical(owned: Feed) -> bytes:
    """The owner's deadlines as an iCalendar file (RFC 5545), each with an alarm a day before.

    It has no METHOD: that of a published event would require an organizer (RFC 5546, 3.2.1).
    """
    reader = owned.user
    at = now()
    calendar = Calendar()
    calendar.add("version", "2.0")
    calendar.add("prodid", "-//Estafette//Deadlines//EN")
    calendar.add("calscale", "GREGORIAN")
    name = _("Estafette: deadlines of %(player)s") % {"player": reader}
    calendar.add("x-wr-calname", vText(name))
    calendar.add("refresh-interval", REFRESH, parameters={"VALUE": "DURATION"})
    calendar.add("x-published-ttl", vDuration(REFRESH))
    # A calendar must have a component (RFC 5545, 3.6), even if no deadline is near.
    calendar.add_component(_utc())
    players, since = _waiting(reader)
    for player in players:
        if player.deadline is not None:
            calendar.add_component(_event(player, player.deadline, since[player.match_id], at))
    written: bytes = calendar.to_ical()
    return written


def _waiting(reader: User) -> tuple[list[Player], dict[int, datetime]]:
    """The reader's seats that wait, and since when, by match."""
    players = list(waiting_for(reader)[:MAX_ENTRIES])
    seat_opponents(players)
    return players, match_view.last_arrivals([player.match_id for player in players])


def _utc() -> Timezone:
    zone = Timezone()
    zone.add("tzid", "Etc/UTC")
    standard = TimezoneStandard()
    standard.add("dtstart", datetime(1970, 1, 1))  # noqa: DTZ001 -- a local time (RFC 5545, 3.6.5).
    standard.add("tzoffsetfrom", timedelta())
    standard.add("tzoffsetto", timedelta())
    standard.add("tzname", "UTC")
    zone.add_component(standard)
    return zone


def _event(player: Player, deadline: datetime, since: datetime, at: datetime) -> Event:
    title = summaries.turn_title(player.opponent.user, player.match_id)
    event = Event()
    # The same for every turn of a match, so that calendars move the entry.
    event.add("uid", f"match-{player.match_id}-{player.pk}@{summaries.domain()}")
    event.add("dtstamp", since)
    # Grows with every ply and every other change of the clock; neither number ever shrinks.
    event.add("sequence", player.match.ply + player.clock_version)
    event.add("dtstart", deadline)
    event.add("summary", title)
    event.add("description", summaries.due_sentence(player, at))
    event.add("url", summaries.absolute_url(player.match.get_absolute_url()))
    event.add("transp", "TRANSPARENT")
    alarm = Alarm()
    alarm.add("action", "DISPLAY")
    alarm.add("description", title)
    alarm.add("trigger", -ALARM)
    event.add_component(alarm)
    return event
