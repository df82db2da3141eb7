"""Commands of talk: say a line, mute a match, erase what a user wrote."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.contrib.auth import get_user_model
from django.db.models import Count, F, Max, Q

from games.idempotency.replay import command_transaction
from games.outbox import publishing
from games.outbox.events import people
from games.people.blocking.blocks import has_blocked
from games.people.models import Reliability
from games.people.moderation import silence
from games.play.models.match import Match, Player, by_seat
from games.play.refusals import NotSeated
from games.rules.core.basics.refusals import Refusal
from games.talk import refusals
from games.talk.events import TalkCame
from games.talk.lines import reading, sealing
from games.talk.lines.text import read_text
from games.talk.models import Line
from lib.db_clock import now

if TYPE_CHECKING:
    from accounts.models import User

MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
MAX_A_MINUTE = 10
MAX_A_MATCH_AND_DAY = 60
MAX_A_DAY = 200
MAX_BEFORE_FIRST_MATCH = 20  # a day
MAX_A_MATCH = 30_000  # fits the columns that count lines


def say(match_id: int, user: User, text: str) -> Line:
    """Send the opponent a line; raises Match.DoesNotExist, NotSeated, or a Refusal of talk."""
    text = read_text(text)
    with command_transaction():
        # In this order: a move locks its match first, and a user is locked last.
        match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
        me, other = _seats(match, user)
        author = get_user_model().objects.select_for_update(no_key=True).get(pk=user.pk)
        at = now()
        if refusal := why_not(author, match, other.user, at):
            raise refusal
        if has_blocked(author.pk, other.user_id):
            raise refusals.blocked(other.user)
        _check_limits(author, match, at)
        return _write(match, me, other, text, at)


def mute(match_id: int, user: User, *, muted: bool) -> None:
    """Fold the talk of a match without notifications of new lines, or stop that.

    Raises Match.DoesNotExist and NotSeated.
    """
    with command_transaction():
        # A new line takes the same lock, reads whether it is muted, and updates the counters.
        match = Match.objects.select_for_update(no_key=True).get(pk=match_id)
        me, _other = _seats(match, user)
        counters: dict[str, Any] = {"talk_muted": muted, "talk_unread": 0}
        if not muted:
            # Include the lines that came while it was muted, or no page would look for them.
            counters["talk_lines"] = reading.visible(me).count()
        Player.objects.filter(pk=me.pk).update(**counters)


def erase_lines_of(user: User) -> None:
    """Erasure of a user: removes the text of all that they wrote; the rows stay."""
    Line.objects.filter(writer=user).update(text=b"")


def why_not(author: User, match: Match, opponent: User, at: datetime) -> Refusal | None:
    """Why a player cannot write to their opponent now, whatever the text; None if they can.

    From loaded rows: no query, but one for somebody who was silenced. Limits and blocks are not
    among it.
    """
    if author.is_house or opponent.is_house:
        return refusals.with_computer()
    if author.is_bot or opponent.is_bot:
        return refusals.with_bot()
    if opponent.is_former:
        return refusals.account_closed()
    after = timedelta(days=refusals.DAYS_AFTER_THE_END)
    if match.finished_at is not None and match.finished_at + after <= at:
        return refusals.closed()
    try:
        silence.check(author)
    except silence.Silenced as refusal:
        return refusal
    if opponent.no_talk:
        return refusals.turned_off_by(opponent)
    if author.no_talk:
        return refusals.turned_off()
    return None


def _seats(match: Match, user: User) -> tuple[Player, Player]:
    """The user's seat and that of the opponent; raises NotSeated."""
    seats = by_seat(match)
    for seat, player in seats.items():
        if player.user_id == user.pk:
            return player, seats[seat.other]
    raise NotSeated


def _check_limits(author: User, match: Match, at: datetime) -> None:
    """Raise TooMuch if the author has written too much lately; one query, or two."""
    lately = Line.objects.filter(writer=author, at__gt=at - DAY)
    counts = lately.aggregate(
        minute=Count("pk", filter=Q(at__gt=at - MINUTE)),
        match=Count("pk", filter=Q(match=match)),
        day=Count("pk"),
    )
    if counts["minute"] >= MAX_A_MINUTE:
        raise refusals.too_fast(MAX_A_MINUTE)
    if counts["match"] >= MAX_A_MATCH_AND_DAY:
        raise refusals.enough_in_match(MAX_A_MATCH_AND_DAY)
    if counts["day"] >= MAX_A_DAY:
        raise refusals.enough_today(MAX_A_DAY)
    finished = Reliability.objects.filter(user=author, finished__gt=0)
    if counts["day"] >= MAX_BEFORE_FIRST_MATCH and not finished.exists():
        raise refusals.enough_before_first_match(MAX_BEFORE_FIRST_MATCH)


def _write(match: Match, me: Player, other: Player, text: str, at: datetime) -> Line:
    newest = Line.objects.filter(match=match).aggregate(newest=Max("number"))["newest"] or 0
    if newest >= MAX_A_MATCH:
        raise refusals.match_is_full()
    number = newest + 1
    line = Line.objects.create(
        match=match,
        number=number,
        writer_id=me.user_id,
        at=at,
        text=sealing.seal(match.pk, number, text),
        hidden=has_blocked(other.user_id, me.user_id),
    )
    Player.objects.filter(pk=me.pk).update(talk_lines=F("talk_lines") + 1)
    notified = Player.objects.filter(pk=other.pk, talk_muted=False)
    counted: dict[str, Any] = {
        "talk_lines": F("talk_lines") + 1,
        "talk_unread": F("talk_unread") + 1,
    }
    if not match.is_live:
        # So that the match is listed again.
        counted["unseen"] = True
    if line.hidden or not notified.update(**counted):
        return line
    # Only one line meets a reader who had read all, also if they are reading now.
    if notified.filter(talk_unread=1).exists():
        event = TalkCame(match=match.pk, line=number, people=people([other.user]))
        publishing.publish(event)
    return line
