"""Feeds of what waits for somebody, at secret addresses: Atom for readers, iCal for calendars.

Whoever has the address may read them, so they hold public facts alone: whom one plays, in which
match, until when. The address is signed and stands nowhere; a new serial number voids it.
"""

from __future__ import annotations

import secrets
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from django.core import signing
from django.urls import reverse
from django.utils import feedgenerator
from django.utils.translation import gettext as _

from accounts.models import User
from games.notices import headlines
from games.notices.models import Feed
from games.play import sight
from games.play.models.match import Player
from games.play.overview import seat_opponents
from games.play.waiting import count_waiting, waiting_for
from games.relay.moment import now
from games.relay.once import deed

MOST = 100  # matches in a feed
ALARM = timedelta(hours=24)  # before a deadline

_SALT = "games.notices.feeds"


class Addresses(NamedTuple):
    atom: str
    ical: str


def addresses(user: User) -> Addresses | None:
    """Where the feeds of this person are, if they have any."""
    feed = Feed.objects.filter(user=user).first()
    if feed is None:
        return None
    token = signing.Signer(salt=_SALT).sign_object([user.pk, feed.serial])
    return Addresses(
        *(headlines.absolute(reverse(f"notices:{name}", args=[token])) for name in ("atom", "ical"))
    )


def renew(user: User) -> None:
    """Open the feeds at new addresses."""
    made = {"serial": secrets.token_hex(16), "made_at": now()}
    with deed():
        Feed.objects.update_or_create(user=user, defaults=made)


def close(user: User) -> None:
    """Take the feeds away; their addresses are void."""
    with deed():
        Feed.objects.filter(user=user).delete()


def read(token: str) -> User | None:
    """Whose feeds these are; None for an address that was never given out, or is void."""
    try:
        pk, serial = signing.Signer(salt=_SALT).unsign_object(token)
    except (signing.BadSignature, ValueError):
        return None
    feed = Feed.objects.select_related("user").filter(user=pk, serial=serial).first()
    return feed.user if feed and feed.user.is_active else None


def atom(reader: User, address: str) -> str:
    """What waits for the reader as an Atom feed, the nearest deadline first; five queries."""
    at, count = now(), count_waiting(reader)
    title = _("Estafette: what waits for %(player)s") % {"player": reader}
    feed = feedgenerator.Atom1Feed(
        title=f"({count}) {title}" if count else title,
        link=headlines.absolute("/"),
        description="",
        feed_url=address,
        feed_guid=f"tag:{headlines.domain()},2026:waiting/{reader.pk}",
        language=reader.letter_language,
    )
    players = _waiting(reader)
    since = sight.last_arrivals([player.match_id for player in players])
    for player in players:
        link = headlines.absolute(player.match.get_absolute_url())
        ply = player.match.ply
        feed.add_item(
            title=headlines.turn_title(player.opponent.user, player.match_id),
            link=link,
            description=headlines.must_be_here(player, at),
            unique_id=f"tag:{headlines.domain()},2026:match/{player.match_id}/{ply}",
            updateddate=since[player.match_id],
            pubdate=since[player.match_id],
        )
    if not players:
        feed.latest_post_date = lambda: at  # type: ignore[method-assign]
    return feed.writeString("utf-8")


def ical(reader: User) -> str:
    """The reader's deadlines as a calendar (RFC 5545), each with an alarm a day before."""
    at = now()
    name = _("Estafette: deadlines of %(player)s") % {"player": reader}
    lines = [
        "BEGIN:VCALENDAR",
        "VERSION:2.0",
        "PRODID:-//Estafette//Deadlines//EN",
        "CALSCALE:GREGORIAN",
        "METHOD:PUBLISH",
        f"X-WR-CALNAME:{_text(name)}",
        "REFRESH-INTERVAL;VALUE=DURATION:PT1H",
        "X-PUBLISHED-TTL:PT1H",
    ]
    for player in _waiting(reader):
        if player.deadline is not None:
            lines += _event(player, player.deadline, at)
    lines.append("END:VCALENDAR")
    return "".join(f"{_folded(line)}\r\n" for line in lines)


def _waiting(reader: User) -> list[Player]:
    players = list(waiting_for(reader)[:MOST])
    seat_opponents(players)
    return players


def _event(player: Player, deadline: datetime, at: datetime) -> list[str]:
    title = headlines.turn_title(player.opponent.user, player.match_id)
    return [
        "BEGIN:VEVENT",
        # The same for every turn of a match: the entry of the calendar moves along.
        f"UID:match-{player.match_id}-{player.pk}@{headlines.domain()}",
        f"DTSTAMP:{_stamp(at)}",
        # Grows with every ply, and with whatever else sets the clock; neither number ever shrinks.
        f"SEQUENCE:{player.match.ply + player.wound}",
        f"DTSTART:{_stamp(deadline)}",
        f"SUMMARY:{_text(title)}",
        f"DESCRIPTION:{_text(headlines.must_be_here(player, at))}",
        f"URL:{headlines.absolute(player.match.get_absolute_url())}",
        "TRANSP:TRANSPARENT",
        "BEGIN:VALARM",
        "ACTION:DISPLAY",
        f"DESCRIPTION:{_text(title)}",
        f"TRIGGER:-PT{int(ALARM.total_seconds() // 3600)}H",
        "END:VALARM",
        "END:VEVENT",
    ]


def _stamp(at: datetime) -> str:
    return at.astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")


def _text(words: str) -> str:
    for sign, written in (("\\", "\\\\"), (";", "\\;"), (",", "\\,"), ("\n", "\\n")):
        words = words.replace(sign, written)
    return words


def _folded(line: str) -> str:
    """Lines of at most 75 bytes; each that follows begins with a blank. No sign is cut in two."""
    lines, size = [""], 0
    for sign in line:
        length = len(sign.encode())
        if size + length > 74:
            lines.append("")
            size = 0
        lines[-1] += sign
        size += length
    return "\r\n ".join(lines)
